/** Coupons as PDF, for seeds and for the remaining codes of a batch. */
import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, routeGroup, streamedFile } from '../../platform/http/route.ts';
import { requireRight, requireRightToCreate } from '../../platform/rights/guard.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { findBatch, remainingCodes } from '../referral-codes/batches.ts';
import { hideClaimedCodes } from '../seeds/claimed-codes.ts';
import { findSeedsToReprint } from '../seeds/find.ts';
import { couponSheetOfStudy } from './coupon-sheet-of-study.ts';
import { writeCouponPdf } from './print.ts';
import { BatchPrint, noteHttpHeaders, SeedPrint } from './schema.ts';

export const printRoutes = routeGroup({ tag: 'Seeds' }, [
  defineRoute({
    method: 'post',
    path: '/api/seeds/print',
    isLong: true,
    memory: 'large',
    summary: 'Get a PDF with a coupon for each of these seeds',
    description:
      'For certain seeds, or for all unused planned seeds of one or all sites whose code the caller may see.',
    body: SeedPrint,
    example: { unused: true, layout: 'page', paper: 'A4', languages: ['en'] },
    reply: { 200: 'application/pdf' },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, body, deps }) => {
      const { seeds: ids = [], layout, paper, languages } = body;
      const location = body.location ? await requireExistingLocation(body.location) : null;
      const seedRecords = await findSeedsToReprint({ ids, location });
      for (const seed of seedRecords) requireRight(actor, 'read', 'Seed', seed);
      const visibleSeeds = await hideClaimedCodes(actor, deps, seedRecords);
      const seeds = seedRecords.filter((_, index) => visibleSeeds[index]?.referralCode !== null);
      const isMissingOne = ids.length > 0 && seeds.length < seedRecords.length;
      if (isMissingOne || seeds.length === 0) throw problem('FORBIDDEN');
      const { publicUrl, timeZone } = deps.config;
      const by = String(actor.user._id);
      const sites = seeds.map((seed) => seed.location);
      const request = { kind: 'seed' as const, layout, paper, languages, publicUrl, timeZone };
      const { sheet, notes } = await couponSheetOfStudy(request, sites, by);
      const codes = seeds.map((seed) => seed.referralCode);
      return streamedFile(
        'seeds.pdf',
        (out) => writeCouponPdf(out, { ...sheet, codes }, by),
        noteHttpHeaders(notes),
      );
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/referral-codes/batches/:id/print',
    isLong: true,
    memory: 'large',
    tag: 'Referral codes',
    summary: 'Get a PDF with a coupon for each unused code of a batch',
    description: 'Only for callers who may create such a batch.',
    body: BatchPrint,
    example: { layout: 'cards', paper: 'A4', languages: ['en'] },
    reply: { 200: 'application/pdf' },
    handle: async ({ actor, id, body, deps }) => {
      const batch = await findBatch(id);
      const { location, createdBy, createdAt } = batch;
      requireRightToCreate(actor, 'ReferralCode', { location, createdBy, createdAt });
      const codes = await remainingCodes(batch._id);
      const { publicUrl, timeZone } = deps.config;
      const by = String(actor.user._id);
      const { sheet, notes } = await couponSheetOfStudy(
        { kind: 'coupon', ...body, publicUrl, timeZone },
        [location],
        by,
      );
      return streamedFile(
        'coupons.pdf',
        (out) => writeCouponPdf(out, { ...sheet, codes }, by),
        noteHttpHeaders(notes),
      );
    },
  }),
]);
