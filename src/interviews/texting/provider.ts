/** Who delivers texts to respondents: Twilio, or a console that only prints them. */

export interface OutgoingText {
  /** E.164. */
  to: string;
  words: string;
  /** The number or link of a gift card, appended to the text; never printed. */
  card: string | null;
  /** The address for delivery reports. */
  callback: string;
}

/** The result of one request. */
export type SendOutcome =
  | { outcome: 'ACCEPTED'; sid: string | null }
  /** Refused permanently. */
  | { outcome: 'REFUSED'; error: string; number?: 'INVALID' | 'STOPPED' }
  /** Certainly not accepted, so it can be sent again. */
  | { outcome: 'LATER'; seconds: number }
  /** No response, or a broken one, so the result isn't known yet. */
  | { outcome: 'UNKNOWN' };

export interface SentTextState {
  sid: string;
  words: string;
  state: ReportedMessageState | null;
}

export const REPORTED_MESSAGE_STATES = ['SENT', 'DELIVERED', 'FAILED'] as const;
export type ReportedMessageState = (typeof REPORTED_MESSAGE_STATES)[number];

export interface MessageProvider {
  name: 'console' | 'twilio';
  /** Never throws. */
  send(text: OutgoingText): Promise<SendOutcome>;
  /** Texts that the provider has sent to this number since then; null if it can't tell. */
  find(to: string, since: Date): Promise<SentTextState[] | null>;
}

/** Text and card as one message. */
export const textMessageBodyOf = ({ words, card }: Pick<OutgoingText, 'words' | 'card'>): string =>
  card === null ? words : `${words}\n${card}`;
