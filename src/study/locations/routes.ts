import type { ClientSession } from 'mongoose';
import { shareReads } from '../../platform/db/batched-reads.ts';
import { readSerializedPage } from '../../platform/http/lists/serialized-page.ts';
import { serializerForSchema } from '../../platform/http/lists/stored-fields.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { createdReply, defineRoute, noContentReply, Reply, routeGroup } from '../../platform/http/route.ts';
import { authorFromActor } from '../../platform/rights/actor.ts';
import {
  loadPermittedRecord,
  parseId,
  requireMayChange,
  requireRight,
  requireRightToCreate,
} from '../../platform/rights/guard.ts';
import { createLocation, deleteLocation, reopenLocation, updateLocation } from './change.ts';
import { importLocations } from './import-rows.ts';
import { LocationModel, type LocationRecord } from './model.ts';
import {
  Location,
  LocationCreate,
  LocationImport,
  LocationImported,
  LocationList,
  LocationPatch,
  LocationQuery,
} from './schema.ts';

const LIST_OPTIONS = { fields: serializerForSchema(Location) };

const readLocationPage = shareReads(async (query: LocationQuery) => {
  const filter = { deletedAt: query.closed === 'true' ? { $gt: new Date(0) } : null };
  return await readSerializedPage(LocationModel, filter, query, LIST_OPTIONS);
});

export const locationRoutes = routeGroup({ tag: 'Locations' }, [
  defineRoute({
    method: 'get',
    path: '/api/locations',
    access: 'public',
    memory: 'small',
    summary: 'List all locations',
    description:
      'Public, because people choose a site when they sign up. Sorted by name unless `sort` is given; without `limit`, all of them. `closed=true` lists the deleted ones instead.',
    query: LocationQuery,
    reply: { 200: LocationList },
    // The only reply that caches may store, provided that they revalidate it.
    handle: async ({ query }) =>
      new Reply(200, await readLocationPage(query), { 'Cache-Control': 'public, no-cache' }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/locations/:id',
    summary: 'Get one location',
    reply: { 200: Location },
    handle: async ({ actor, id }) => await loadPermittedRecord(actor, 'read', LocationModel, id),
  }),
  defineRoute({
    method: 'post',
    path: '/api/locations',
    summary: 'Create a location',
    body: LocationCreate,
    example: { name: 'Downtown shelter', type: 'SHELTER', address: '1 Main Street' },
    reply: { 201: Location },
    problems: ['NAME_TAKEN'],
    handle: async ({ actor, body }) => {
      requireRightToCreate(actor, 'Location', { ...body, createdBy: actor.user._id, createdAt: actor.now });
      const location = await createLocation(body, authorFromActor(actor));
      return createdReply(location, `/api/locations/${location._id}`);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/locations/import',
    isLong: true,
    summary: 'Create and update many locations at once: all of them or none',
    description:
      'Matched by name, ignoring case. An existing location is updated with what its row has, and keeps the rest. Sending the same rows again changes nothing. If one row is refused, nothing is stored, and the other results say what would have been done.',
    body: LocationImport,
    example: { locations: [{ name: 'Downtown shelter', type: 'SHELTER' }], dryRun: true },
    reply: { 200: LocationImported },
    problems: ['NAME_TAKEN'],
    handle: async ({ actor, body: { locations, dryRun } }) => {
      const { now, user, ability } = actor;
      if (!ability.can('create', 'Location') && !ability.can('update', 'Location'))
        throw problem('FORBIDDEN');
      return await importLocations(locations, { ...authorFromActor(actor), dryRun }, (before, fields) => {
        if (before) requireMayChange(actor, 'Location', before, fields);
        else requireRightToCreate(actor, 'Location', { ...fields, createdBy: user._id, createdAt: now });
      });
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/locations/:id',
    summary: 'Update a location',
    body: LocationPatch,
    example: { name: 'Downtown day center' },
    reply: { 200: Location },
    problems: ['NAME_TAKEN'],
    handle: async ({ actor, id, body }) => {
      const find = async (session: ClientSession) => {
        const location = await loadPermittedRecord(actor, 'update', LocationModel, id, session);
        requireMayChange(actor, 'Location', location, body);
        return location;
      };
      return await updateLocation(find, body, authorFromActor(actor));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/locations/:id',
    summary: 'Delete a location (soft)',
    description: 'Existing records still refer to it; new records cannot.',
    reply: { 204: null },
    handle: async ({ actor, id }) => {
      const find = (session: ClientSession) =>
        loadPermittedRecord(actor, 'delete', LocationModel, id, session);
      await deleteLocation(find, authorFromActor(actor));
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/locations/:id/reopen',
    summary: 'Reopen a deleted location',
    description: 'Undoes a deletion. 409 if another location has its name by now.',
    reply: { 200: Location },
    problems: ['NAME_TAKEN'],
    handle: async ({ actor, id }) => {
      const find = async (session: ClientSession) => {
        const location = await LocationModel.findById(parseId(id)).session(session).lean<LocationRecord>();
        if (!location) throw problem('NOT_FOUND');
        requireRight(actor, 'delete', 'Location', location);
        return location;
      };
      return await reopenLocation(find, authorFromActor(actor));
    },
  }),
]);
