/** Finished interviews waiting to be sent. sender.ts sends them. */
import { now } from '../device/clock.ts';
import { NotTheEditor, THIS_TAB } from '../device/editor.ts';
import {
  type CouponSource,
  type Draft,
  deviceDb,
  type OutboxBody,
  type OutboxRow,
  type OutboxState,
} from '../device/store/store.ts';
import type { Answers, SurveyBody } from '../wire.ts';
import { paymentClaimNumberOfDraft } from './coupons/claim-number.ts';
import { takeCodes } from './coupons/reserved-codes.ts';
import {
  canSendCodesWithInterview,
  type OutboxRowEvent,
  outboxHoldEnd,
  outboxRowChangeFor,
} from './row-states.ts';
import {
  newRowEncryptionKey,
  openBody,
  rowSealing,
  sealBody,
  sealFarewellPageContent,
} from './sealed-rows.ts';

export interface FinishedInterview {
  responses: Answers;
  /** False for people who declined or are not eligible. */
  takesPart: boolean;
  /** How many coupons this person gets. */
  coupons: number;
  /** Take coupons from the device's own block, or leave the places empty for printed ones. */
  fromBlock: boolean;
  /** The questionnaire's closing text. */
  farewell: string;
  /** For the person's own page, if the study offers one. The service only gets the hash. */
  ownSecret?: { secret: string; statusHash: string } | undefined;
}

/** Moves an interview and its coupons from the drafts to the outbox in one transaction. */
export async function finishDraft(
  draft: Draft,
  { responses, takesPart, coupons, fromBlock, farewell, ownSecret }: FinishedInterview,
): Promise<void> {
  const key = await newRowEncryptionKey(draft.owner);
  await deviceDb.transaction('rw', deviceDb.drafts, deviceDb.outbox, deviceDb.codes, async () => {
    // Another window may have finished or discarded it, or added a coupon.
    const stored = await deviceDb.drafts.get(draft.id);
    if (stored?.editor !== THIS_TAB) throw new NotTheEditor();
    const draftCodes = stored.issuedCodes ?? [];
    const { walkInCode } = stored;
    const { incentive, contact, note } = draft;
    const missing = fromBlock ? coupons - draftCodes.length : 0;
    const issuedCodes = [
      ...draftCodes,
      ...(missing > 0 ? await takeCodes(draft.owner, draft.id, missing) : []),
    ];
    const finishedAt = now();
    const body: SurveyBody = {
      clientId: draft.id,
      location: draft.location,
      questionnaire: draft.questionnaire,
      responses,
      status: 'COMPLETED',
      startedAt: draft.startedAt,
      completedAt: stored.completedAt ?? new Date(finishedAt).toISOString(),
      // Keeps the interview even if its code is invalid.
      onCodeProblem: 'FLAG',
      ...(takesPart ? {} : { takesPart }),
      ...(draft.referralCode ? { referralCode: draft.referralCode } : {}),
      ...(walkInCode && !draft.referralCode ? { walkInCode } : {}),
      ...(incentive ? { incentive } : {}),
      ...(contact ? { contact } : {}),
      ...(ownSecret ? { statusHash: ownSecret.statusHash } : {}),
      ...(note ? { note } : {}),
      ...(draft.coordinates ? { coordinates: draft.coordinates } : {}),
      ...(issuedCodes.length > 0 ? { issuedCodes } : {}),
    };
    await deviceDb.drafts.delete(draft.id);
    await deviceDb.outbox.add({
      clientId: draft.id,
      owner: draft.owner,
      state: 'waiting',
      body: sealBody(body, draft.owner, key),
      location: draft.location,
      referralCode: draft.referralCode,
      ...(stored.couponVerdict ? { couponVerdict: stored.couponVerdict } : {}),
      issuedCodes,
      couponsFrom: fromBlock ? 'phone' : 'paper',
      ...stored.paper,
      ...(stored.issuedCodes ? { earlier: stored.issuedCodes } : {}),
      ...(stored.completedAt ? { givenAt: stored.completedAt } : {}),
      coupons,
      ...sealFarewellPageContent({ farewell, language: draft.language, secret: ownSecret?.secret }, key),
      claimNumber: takesPart ? paymentClaimNumberOfDraft(stored) : null,
      finishedAt: new Date(finishedAt).toISOString(),
      heldUntil: outboxHoldEnd(finishedAt),
      attempts: 0,
      retryAt: 0,
      refused: null,
      sentAt: null,
      survey: null,
      flags: [],
    });
  });
}

/**
 * Stores the interviewer's note for reviewers while the interview is still on the device. Returns whether it was
 * stored.
 */
export async function storeInterviewNote(owner: string, clientId: string, text: string): Promise<boolean> {
  const sealing = await rowSealing(owner);
  const key = sealing?.newKey() ?? null;
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    const body = row?.body && openBody(row.body, sealing?.open ?? null);
    if (!body || !canSendCodesWithInterview(row)) return false;
    const { note: _, ...rest } = body;
    const note = text.trim();
    const next = sealBody(note ? { ...rest, note } : rest, owner, key);
    await deviceDb.outbox.update(row.seq, { body: next, ...(key ? { fieldKey: key.fieldKey } : {}) });
    return true;
  });
}

/** Looks rows up by clientId, because their `seq` may change when the store is restored (store-backup.ts). */
export const findOutboxRow = (clientId: string): Promise<OutboxRow | undefined> =>
  deviceDb.outbox.where({ clientId }).first();

/** The paper coupons this person holds, as far as this phone knows. */
export const heldPaperCouponsOf = (row: OutboxRow): string[] =>
  row.printed ?? (couponMediumOf(row) === 'paper' && canSendCodesWithInterview(row) ? row.issuedCodes : []);

/** A coupon can't be removed once the service knows it, or might. */
export const mayRemovePrintedCoupon = (row: OutboxRow, code: string): boolean =>
  canSendCodesWithInterview(row) || ((row.late ?? []).includes(code) && !(row.reported ?? []).includes(code));

/**
 * Adds a paper coupon: to the interview if it wasn't sent yet, otherwise reported afterwards, with no time limit,
 * because paper that someone holds must lead to their recruiter. One coupon at a time, because a window may show an
 * outdated list.
 */
export function addPrintedCoupon(clientId: string, code: string): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.outbox, deviceDb.drafts, async () => {
    const row = await findOutboxRow(clientId);
    if (!row) return await addCodeToCorrection(clientId, code);
    const printed = heldPaperCouponsOf(row);
    if (printed.includes(code)) return;
    const change =
      row.body && canSendCodesWithInterview(row)
        ? withIssuedCodes(row.body, [...row.issuedCodes, code])
        : { late: [...(row.late ?? []), code] };
    await deviceDb.outbox.update(row.seq, { ...change, printed: [...printed, code] });
  });
}

/** Another window is correcting this interview, which was refused. */
async function addCodeToCorrection(clientId: string, code: string): Promise<void> {
  const draft = await deviceDb.drafts.get(clientId);
  const { issuedCodes, paper } = draft ?? {};
  if (!issuedCodes || issuedCodes.includes(code)) return;
  await deviceDb.drafts.update(clientId, {
    issuedCodes: [...issuedCodes, code],
    paper: { ...paper, printed: [...(paper?.printed ?? []), code] },
  });
}

/** Removes a coupon that wasn't handed out after all. */
export function takeBackPrintedCoupon(clientId: string, code: string): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    if (!row || !mayRemovePrintedCoupon(row, code)) return;
    const others = (codes: string[]) => codes.filter((one) => one !== code);
    await deviceDb.outbox.update(row.seq, {
      ...(row.body && canSendCodesWithInterview(row)
        ? withIssuedCodes(row.body, others(row.issuedCodes))
        : {}),
      printed: others(heldPaperCouponsOf(row)),
      late: others(row.late ?? []),
      lateRefused: (row.lateRefused ?? []).filter((one) => one.code !== code),
    });
  });
}

function withIssuedCodes(body: OutboxBody, issuedCodes: string[]) {
  const { issuedCodes: _before, ...rest } = body;
  return { issuedCodes, body: issuedCodes.length > 0 ? { ...rest, issuedCodes } : rest };
}

/**
 * Switches between paper coupons and the phone's own codes. The coupons chosen so far are set aside and come back
 * with their source. Codes from the phone's block stay reserved for this interview, since the person may have seen
 * them, and coupons from before a correction stay too.
 */
export function switchCouponSource(clientId: string, couponsFrom: CouponSource): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    if (!row || couponMediumOf(row) === couponsFrom) return;
    const { body, issuedCodes, earlier = [], aside = [] } = row;
    // Once sent, the existing coupons stay; printed ones are added.
    if (!body || !canSendCodesWithInterview(row))
      return void (await deviceDb.outbox.update(row.seq, { couponsFrom }));
    const isEarlier = (code: string) => earlier.includes(code);
    const stays = issuedCodes.filter(isEarlier);
    const back = aside.filter((code) => !stays.includes(code));
    const printed = [...heldPaperCouponsOf(row).filter(isEarlier), ...(couponsFrom === 'paper' ? back : [])];
    await deviceDb.outbox.update(row.seq, {
      ...withIssuedCodes(body, [...stays, ...back]),
      ...{ couponsFrom, printed, aside: issuedCodes.filter((code) => !isEarlier(code)) },
    });
  });
}

export const couponMediumOf = (row: OutboxRow): CouponSource => row.couponsFrom ?? 'phone';

/** Fills the missing coupons from the device's own block. */
export function fillCoupons(clientId: string): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.outbox, deviceDb.codes, async () => {
    const row = await findOutboxRow(clientId);
    // The source may have been switched while the service was asked for codes.
    if (!row?.body || !canSendCodesWithInterview(row) || couponMediumOf(row) === 'paper') return;
    const more = await takeCodes(row.owner, row.clientId, row.coupons - row.issuedCodes.length);
    if (more.length === 0) return;
    const issuedCodes = [...row.issuedCodes, ...more];
    await deviceDb.outbox.update(row.seq, { issuedCodes, body: { ...row.body, issuedCodes } });
  });
}

/** Applies the event and returns the new row; null if it doesn't apply in the current state, or the row is gone. */
export function applyOutboxRowEvent(clientId: string, event: OutboxRowEvent): Promise<OutboxRow | null> {
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    const change = row && outboxRowChangeFor(row, event);
    if (!change) return null;
    await deviceDb.outbox.update(row.seq, change);
    return { ...row, ...change };
  });
}

/** Applies the event to all of a person's rows in this stored state. */
async function advanceAll(owner: string, state: OutboxState, event: OutboxRowEvent): Promise<void> {
  await deviceDb.outbox
    .where({ owner, state })
    .modify((row) => void Object.assign(row, outboxRowChangeFor(row, event)));
}

/** Coupons are still being handed out. */
export const holdInterview = (clientId: string) => applyOutboxRowEvent(clientId, { type: 'hold' });

/** The coupons are handed out, so the interview can be sent. */
export const releaseInterview = (clientId: string) => applyOutboxRowEvent(clientId, { type: 'release' });

export const sendAllWaitingNow = (owner: string) => advanceAll(owner, 'waiting', { type: 'sendNow' });

/** Requeues interviews that a closed tab was sending. */
export const requeueAbandonedSends = (owner: string) => advanceAll(owner, 'sending', { type: 'noReply' });

/** Sends the interview again, unchanged or with another site. */
export const retryInterview = (clientId: string, location?: string) =>
  applyOutboxRowEvent(clientId, { type: 'retry', ...(location ? { location } : {}) });

/** The service has two versions of this interview and keeps both, so nothing is left to do here. */
export const acknowledgeConflict = (clientId: string) => applyOutboxRowEvent(clientId, { type: 'settle' });
