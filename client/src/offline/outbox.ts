/** Finished interviews waiting to be sent. sender.ts sends them. */
import { now } from '../device/clock.ts';
import { NotTheEditor, THIS_TAB } from '../device/editor.ts';
import {
  type CouponSource,
  type Draft,
  db,
  type OutboxRow,
  type OutboxState,
  type StoredBody,
} from '../device/store/store.ts';
import type { Answers, SurveyBody } from '../wire.ts';
import { claimNumberIn } from './coupons/claim-number.ts';
import { takeCodes } from './coupons/reserved-codes.ts';
import { holdUntil, type RowEvent, transition, travelsWithInterview } from './row-states.ts';
import { newRowKey, openBody, rowSealing, sealBody, sealView } from './sealed-rows.ts';

export interface FinishedInterview {
  responses: Answers;
  /** Not who declined or is not eligible. */
  takesPart: boolean;
  /** How many coupons this person gets. */
  coupons: number;
  /** Take them from the device's own block, or leave the places empty for printed ones. */
  fromBlock: boolean;
  /** What the questionnaire says to the person at the end. */
  farewell: string;
  /** Of the person's own page, where the study has these: the service only gets the hash. */
  own?: { secret: string; statusHash: string } | undefined;
}

/** Moves an interview from the drafts to the outbox, with its coupons, all or nothing. */
export async function finishDraft(
  draft: Draft,
  { responses, takesPart, coupons, fromBlock, farewell, own }: FinishedInterview,
): Promise<void> {
  const key = await newRowKey(draft.owner);
  await db.transaction('rw', db.drafts, db.outbox, db.codes, async () => {
    // Another window may have finished it, thrown it away, or added a coupon.
    const stored = await db.drafts.get(draft.id);
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
      // A finished interview is never lost to a fault of its code.
      onCodeProblem: 'FLAG',
      ...(takesPart ? {} : { takesPart }),
      ...(draft.referralCode ? { referralCode: draft.referralCode } : {}),
      ...(walkInCode && !draft.referralCode ? { walkInCode } : {}),
      ...(incentive ? { incentive } : {}),
      ...(contact ? { contact } : {}),
      ...(own ? { statusHash: own.statusHash } : {}),
      ...(note ? { note } : {}),
      ...(draft.coordinates ? { coordinates: draft.coordinates } : {}),
      ...(issuedCodes.length > 0 ? { issuedCodes } : {}),
    };
    await db.drafts.delete(draft.id);
    await db.outbox.add({
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
      ...sealView({ farewell, language: draft.language, secret: own?.secret }, key),
      claimNumber: takesPart ? claimNumberIn(stored) : null,
      finishedAt: new Date(finishedAt).toISOString(),
      heldUntil: holdUntil(finishedAt),
      attempts: 0,
      retryAt: 0,
      refused: null,
      sentAt: null,
      survey: null,
      flags: [],
    });
  });
}

/** The interviewer's note for reviewers, as long as the interview is here. Whether it could be stored. */
export async function setNote(owner: string, clientId: string, text: string): Promise<boolean> {
  const sealing = await rowSealing(owner);
  const key = sealing?.newKey() ?? null;
  return db.transaction('rw', db.outbox, async () => {
    const row = await outboxRow(clientId);
    const body = row?.body && openBody(row.body, sealing?.open ?? null);
    if (!body || !travelsWithInterview(row)) return false;
    const { note: _, ...rest } = body;
    const note = text.trim();
    const next = sealBody(note ? { ...rest, note } : rest, owner, key);
    await db.outbox.update(row.seq, { body: next, ...(key ? { fieldKey: key.fieldKey } : {}) });
    return true;
  });
}

/** Never by its number, which may be another one after the store was put back (store-backup.ts). */
export const outboxRow = (clientId: string): Promise<OutboxRow | undefined> =>
  db.outbox.where({ clientId }).first();

/** The printed coupons that this person holds, as far as this phone knows. */
export const printedCouponsOf = (row: OutboxRow): string[] =>
  row.printed ?? (couponSourceOf(row) === 'paper' && travelsWithInterview(row) ? row.issuedCodes : []);

/** A coupon that the service has heard of, or may have, stays this person's. */
export const mayRemovePrinted = (row: OutboxRow, code: string): boolean =>
  travelsWithInterview(row) || ((row.late ?? []).includes(code) && !(row.reported ?? []).includes(code));

/**
 * Adds a printed coupon that this person got: with the interview as long as it is here, else told afterwards. There is
 * no time at which this ends; paper in somebody's hand must lead to whoever gave it. One coupon at a time, because a
 * window may show an outdated list.
 */
export function addPrintedCoupon(clientId: string, code: string): Promise<void> {
  return db.transaction('rw', db.outbox, db.drafts, async () => {
    const row = await outboxRow(clientId);
    if (!row) return await addToCorrected(clientId, code);
    const printed = printedCouponsOf(row);
    if (printed.includes(code)) return;
    const change =
      row.body && travelsWithInterview(row)
        ? handingOut(row.body, [...row.issuedCodes, code])
        : { late: [...(row.late ?? []), code] };
    await db.outbox.update(row.seq, { ...change, printed: [...printed, code] });
  });
}

/** Another window is correcting this interview, which was refused. */
async function addToCorrected(clientId: string, code: string): Promise<void> {
  const draft = await db.drafts.get(clientId);
  const { issuedCodes, paper } = draft ?? {};
  if (!issuedCodes || issuedCodes.includes(code)) return;
  await db.drafts.update(clientId, {
    issuedCodes: [...issuedCodes, code],
    paper: { ...paper, printed: [...(paper?.printed ?? []), code] },
  });
}

/** The coupon was not handed out after all. */
export function removePrintedCoupon(clientId: string, code: string): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await outboxRow(clientId);
    if (!row || !mayRemovePrinted(row, code)) return;
    const others = (codes: string[]) => codes.filter((one) => one !== code);
    await db.outbox.update(row.seq, {
      ...(row.body && travelsWithInterview(row) ? handingOut(row.body, others(row.issuedCodes)) : {}),
      printed: others(printedCouponsOf(row)),
      late: others(row.late ?? []),
      lateRefused: (row.lateRefused ?? []).filter((one) => one.code !== code),
    });
  });
}

function handingOut(body: StoredBody, issuedCodes: string[]) {
  const { issuedCodes: _before, ...rest } = body;
  return { issuedCodes, body: issuedCodes.length > 0 ? { ...rest, issuedCodes } : rest };
}

/**
 * Coupons of the other source, for the same person. Those chosen so far are put aside and come back with their
 * source: those of the phone's own block stay this interview's, since the person may have seen them. Those that the person had before
 * the interview was corrected stay.
 */
export function switchCouponSource(clientId: string, couponsFrom: CouponSource): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await outboxRow(clientId);
    if (!row || couponSourceOf(row) === couponsFrom) return;
    const { body, issuedCodes, earlier = [], aside = [] } = row;
    // What went out stays as it is; printed ones come on top.
    if (!body || !travelsWithInterview(row)) return void (await db.outbox.update(row.seq, { couponsFrom }));
    const isEarlier = (code: string) => earlier.includes(code);
    const stays = issuedCodes.filter(isEarlier);
    const back = aside.filter((code) => !stays.includes(code));
    const printed = [...printedCouponsOf(row).filter(isEarlier), ...(couponsFrom === 'paper' ? back : [])];
    await db.outbox.update(row.seq, {
      ...handingOut(body, [...stays, ...back]),
      ...{ couponsFrom, printed, aside: issuedCodes.filter((code) => !isEarlier(code)) },
    });
  });
}

export const couponSourceOf = (row: OutboxRow): CouponSource => row.couponsFrom ?? 'phone';

/** Fills the empty places from the device's own block. */
export function fillCoupons(clientId: string): Promise<void> {
  return db.transaction('rw', db.outbox, db.codes, async () => {
    const row = await outboxRow(clientId);
    // The choice may have changed while the service was asked for codes.
    if (!row?.body || !travelsWithInterview(row) || couponSourceOf(row) === 'paper') return;
    const more = await takeCodes(row.owner, row.clientId, row.coupons - row.issuedCodes.length);
    if (more.length === 0) return;
    const issuedCodes = [...row.issuedCodes, ...more];
    await db.outbox.update(row.seq, { issuedCodes, body: { ...row.body, issuedCodes } });
  });
}

/** The row after the event; null where it has come too late, or the row is gone. */
export function applyRowEvent(clientId: string, event: RowEvent): Promise<OutboxRow | null> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await outboxRow(clientId);
    const change = row && transition(row, event);
    if (!change) return null;
    await db.outbox.update(row.seq, change);
    return { ...row, ...change };
  });
}

/** Of all rows of a person in this stored state. */
async function advanceAll(owner: string, state: OutboxState, event: RowEvent): Promise<void> {
  await db.outbox.where({ owner, state }).modify((row) => void Object.assign(row, transition(row, event)));
}

/** The coupons are still being handed out. */
export const holdInterview = (clientId: string) => applyRowEvent(clientId, { type: 'hold' });

/** The coupons are handed out: off it goes. */
export const releaseInterview = (clientId: string) => applyRowEvent(clientId, { type: 'release' });

export const releaseAll = (owner: string) => advanceAll(owner, 'waiting', { type: 'sendNow' });

/** What a tab that is gone was sending. */
export const requeueAbandoned = (owner: string) => advanceAll(owner, 'sending', { type: 'noReply' });

/** Once more, as it is or with another site. */
export const retryInterview = (clientId: string, location?: string) =>
  applyRowEvent(clientId, { type: 'retry', ...(location ? { location } : {}) });

/** The service has this interview in two versions and keeps both: here there is nothing left to do. */
export const settleConflict = (clientId: string) => applyRowEvent(clientId, { type: 'settle' });
