import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { visibleFilter } from '../../platform/rights/guard.ts';
import { DeviceModel, NOTHING_PENDING_DATE } from './model.ts';
import { limitDeviceReports, storeDeviceReport } from './report.ts';
import { DeviceList, DeviceListQuery, DeviceReport } from './schema.ts';

export const deviceRoutes = routeGroup({ tag: 'Devices' }, [
  defineRoute({
    method: 'post',
    path: '/api/devices/report',
    summary: 'Report what is still on the caller’s device',
    description:
      'The app does this after each contact if something has changed, with a send token too. A second report within a minute of one user on one device: 429. The latest report of each user and device is stored, for at most 20 devices of a user.',
    body: DeviceReport,
    example: {
      device: '0f8fad5b-d9cb-469f-a165-70867728950e',
      ...{ appVersion: '1.4.0', drafts: 1, unsent: 2, refused: 0 },
      ...{ oldestUnsentAt: '2026-11-21T18:00:00.000Z', codesLeft: 14, persisted: true },
    },
    reply: { 204: null },
    sendToken: {},
    handle: async ({ actor, body, deps }) => {
      if (deps.config.rateLimits) await limitDeviceReports(actor, body.device);
      await storeDeviceReport(actor, body);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/devices',
    memory: 'page',
    summary: 'List devices, and what has not arrived from them yet',
    description:
      'For callers who may read recruitment; a manager sees the people of their own site. Each device says it itself at its last contact. One without anything unsent or refused is dropped after 30 days.',
    query: DeviceListQuery,
    reply: { 200: DeviceList },
    handle: async ({ actor, query }) => {
      const { location, user, pending } = query;
      const filter = {
        ...idFilter({ location, user }),
        ...(pending ? { pendingSince: { $lt: NOTHING_PENDING_DATE } } : {}),
      };
      return await loadRecordPage(
        DeviceModel,
        visibleFilter(actor, ['read'], DeviceModel, filter, 'Recruitment'),
        query,
      );
    },
  }),
]);
