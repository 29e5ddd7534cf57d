/** Who carries texts to respondents: Twilio, or a console that prints that one would be sent. */

export interface OutgoingText {
  /** E.164. */
  to: string;
  words: string;
  /** The number or link of a gift card, after the words; never printed. */
  card: string | null;
  /** Where the provider reports what became of it. */
  callback: string;
}

/** What one request came to. */
export type SendOutcome =
  | { outcome: 'ACCEPTED'; sid: string | null }
  /** For good. */
  | { outcome: 'REFUSED'; error: string; number?: 'INVALID' | 'STOPPED' }
  /** It was certainly not taken: it can be sent again. */
  | { outcome: 'LATER'; seconds: number }
  /** No answer, or a broken one: nobody knows yet. */
  | { outcome: 'UNKNOWN' };

export interface SentTextState {
  sid: string;
  words: string;
  state: ReportedState | null;
}

export const REPORTED_STATES = ['SENT', 'DELIVERED', 'FAILED'] as const;
export type ReportedState = (typeof REPORTED_STATES)[number];

export interface MessageProvider {
  name: 'console' | 'twilio';
  /** Never throws. */
  send(text: OutgoingText): Promise<SendOutcome>;
  /** What the provider has sent to this number since; null if it can't tell. */
  find(to: string, since: Date): Promise<SentTextState[] | null>;
}

/** As one message. */
export const textBodyOf = ({ words, card }: Pick<OutgoingText, 'words' | 'card'>): string =>
  card === null ? words : `${words}\n${card}`;
