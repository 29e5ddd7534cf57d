/** Finished interviews on their way to the service. sender.ts sends them. */
import type { Answers, SurveyBody } from '../wire.ts';
import { now } from './clock.ts';
import { NotTheEditor, TAB } from './drafts.ts';
import { takeCodes } from './reserve.ts';
import { changeBy, goesWithIt, heldFrom, type RowEvent } from './row-states.ts';
import { type CouponSource, type Draft, db, type OutboxRow, type OutboxState } from './store.ts';

export interface Finish {
  responses: Answers;
  /** Not who declined or is not eligible. */
  takesPart: boolean;
  /** How many coupons this person gets. */
  coupons: number;
  /** Take them from the device's own block, or leave the places empty for printed ones. */
  fromBlock: boolean;
  /** What the questionnaire says to the person at the end. */
  farewell: string;
}

/** Moves an interview from the drafts to the outbox, with its coupons, all or nothing. */
export function finishDraft(
  draft: Draft,
  { responses, takesPart, coupons, fromBlock, farewell }: Finish,
): Promise<void> {
  return db.transaction('rw', db.drafts, db.outbox, db.codes, async () => {
    // Another window may have finished it, or thrown it away.
    if ((await db.drafts.get(draft.id))?.editor !== TAB) throw new NotTheEditor();
    const known = draft.issuedCodes ?? [];
    const missing = fromBlock ? coupons - known.length : 0;
    const issuedCodes = [...known, ...(missing > 0 ? await takeCodes(draft.owner, draft.id, missing) : [])];
    const finishedAt = now();
    const body: SurveyBody = {
      clientId: draft.id,
      location: draft.location,
      questionnaire: draft.questionnaire,
      responses,
      status: 'COMPLETED',
      startedAt: draft.startedAt,
      completedAt: new Date(finishedAt).toISOString(),
      // A finished interview is never lost to a fault of its code.
      onCodeProblem: 'FLAG',
      ...(takesPart ? {} : { takesPart }),
      ...(draft.referralCode ? { referralCode: draft.referralCode } : {}),
      ...(draft.coordinates ? { coordinates: draft.coordinates } : {}),
      ...(issuedCodes.length > 0 ? { issuedCodes } : {}),
    };
    await db.drafts.delete(draft.id);
    await db.outbox.add({
      clientId: draft.id,
      owner: draft.owner,
      state: 'waiting',
      body,
      location: draft.location,
      referralCode: draft.referralCode,
      issuedCodes,
      couponsFrom: fromBlock ? 'phone' : 'paper',
      ...draft.paper,
      coupons,
      language: draft.language,
      farewell,
      finishedAt: new Date(finishedAt).toISOString(),
      heldUntil: heldFrom(finishedAt),
      attempts: 0,
      retryAt: 0,
      refused: null,
      sentAt: null,
      survey: null,
      flags: [],
    });
  });
}

/** Never by its number, which may be another one after the store was put back (spare.ts). */
export const rowOf = (clientId: string): Promise<OutboxRow | undefined> =>
  db.outbox.where({ clientId }).first();

/** The printed coupons that this person holds, as far as this phone knows. */
export const printedOf = (row: OutboxRow): string[] =>
  row.printed ?? (sourceOf(row) === 'paper' && goesWithIt(row) ? row.issuedCodes : []);

/** A coupon that the service has heard of, or may have, stays this person's. */
export const mayTakeBack = (row: OutboxRow, code: string): boolean =>
  goesWithIt(row) || (row.late ?? []).includes(code);

/**
 * The printed coupons that this person holds: with the interview as long as it is here, else told afterwards. There
 * is no time at which this ends; paper in somebody's hand must lead to whoever gave it.
 */
export function choosePrinted(clientId: string, codes: string[]): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await rowOf(clientId);
    if (!row) return;
    if (row.body && goesWithIt(row))
      return void (await db.outbox.update(row.seq, { ...handingOut(row.body, codes), printed: codes }));
    const before = printedOf(row);
    const kept = before.filter((code) => codes.includes(code) || !mayTakeBack(row, code));
    const added = codes.filter((code) => !before.includes(code));
    await db.outbox.update(row.seq, {
      printed: [...kept, ...added],
      late: [...(row.late ?? []).filter((code) => kept.includes(code)), ...added],
      lateRefused: (row.lateRefused ?? []).filter(({ code }) => kept.includes(code)),
    });
  });
}

function handingOut(body: SurveyBody, issuedCodes: string[]) {
  const { issuedCodes: _before, ...rest } = body;
  return { issuedCodes, body: issuedCodes.length > 0 ? { ...rest, issuedCodes } : rest };
}

/**
 * Coupons of the other source, for the same person. Those chosen so far are put aside and come back with their
 * source: the own block's stay this interview's, since the person may have seen them.
 */
export function switchCoupons(clientId: string, couponsFrom: CouponSource): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await rowOf(clientId);
    if (!row || sourceOf(row) === couponsFrom) return;
    // What went out stays as it is; printed ones come on top.
    if (!row.body || !goesWithIt(row)) return void (await db.outbox.update(row.seq, { couponsFrom }));
    const chosen = handingOut(row.body, row.aside ?? []);
    const printed = couponsFrom === 'paper' ? (row.aside ?? []) : [];
    await db.outbox.update(row.seq, { ...chosen, couponsFrom, printed, aside: row.issuedCodes });
  });
}

export const sourceOf = (row: OutboxRow): CouponSource => row.couponsFrom ?? 'phone';

/** Fills the empty places from the device's own block. */
export function fillCoupons(clientId: string): Promise<void> {
  return db.transaction('rw', db.outbox, db.codes, async () => {
    const row = await rowOf(clientId);
    // The choice may have changed while the service was asked for codes.
    if (!row?.body || !goesWithIt(row) || sourceOf(row) === 'paper') return;
    const more = await takeCodes(row.owner, row.clientId, row.coupons - row.issuedCodes.length);
    if (more.length === 0) return;
    const issuedCodes = [...row.issuedCodes, ...more];
    await db.outbox.update(row.seq, { issuedCodes, body: { ...row.body, issuedCodes } });
  });
}

/** The row after the event; null where it has come too late, or the row is gone. */
export function advance(clientId: string, event: RowEvent): Promise<OutboxRow | null> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await rowOf(clientId);
    const change = row && changeBy(row, event);
    if (!change) return null;
    await db.outbox.update(row.seq, change);
    return { ...row, ...change };
  });
}

/** Of all rows of a person in this stored state. */
async function advanceAll(owner: string, state: OutboxState, event: RowEvent): Promise<void> {
  await db.outbox.where({ owner, state }).modify((row) => void Object.assign(row, changeBy(row, event)));
}

/** The coupons are still being handed out. */
export const hold = (clientId: string) => advance(clientId, { type: 'hold' });

/** The coupons are handed out: off it goes. */
export const release = (clientId: string) => advance(clientId, { type: 'release' });

export const releaseAll = (owner: string) => advanceAll(owner, 'waiting', { type: 'hurry' });

/** What a tab that is gone was sending. */
export const takeUpLeftovers = (owner: string) => advanceAll(owner, 'sending', { type: 'unreached' });

/** Once more, as it is or with another site. */
export const retry = (clientId: string, location?: string) =>
  advance(clientId, { type: 'retry', ...(location ? { location } : {}) });

/** The service has this interview in two versions and keeps both: here there is nothing left to do. */
export const settle = (clientId: string) => advance(clientId, { type: 'settle' });
