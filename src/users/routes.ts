import mongoose from 'mongoose';
import { PAGE_MEMORY } from '../http/memory-budget.ts';
import { page } from '../http/page.ts';
import { created, noContent, route, routeGroup } from '../http/route.ts';
import { load, permittedFilter, visible } from '../rights/guard.ts';
import { deleteUser, updateUser } from './change.ts';
import { createUser } from './create.ts';
import { Users } from './model.ts';
import { DecisionList, DecisionQuery, User, UserCreate, UserList, UserPatch, UserQuery } from './schema.ts';
import { searchFilter } from './search-filter.ts';
import { signOutUser } from './sign-out.ts';
import { listUndoableDecisions } from './undo.ts';

export const userRoutes = routeGroup({ tag: 'Users' }, [
  route({
    method: 'get',
    path: '/api/users',
    memory: PAGE_MEMORY,
    summary: 'List users',
    description:
      'Filters: assigned location, approval status, role, whom the caller decides about, and a search over names and phone.',
    query: UserQuery,
    reply: { 200: UserList },
    handle: async ({ actor, query }) => {
      const { location, status, role, decidable, search } = query;
      const filter = {
        ...(location ? { location: new mongoose.Types.ObjectId(location) } : {}),
        ...(status ? { approvalStatus: status } : {}),
        ...(role ? { role } : {}),
        ...searchFilter(search),
        ...(decidable === 'true'
          ? {
              $and: [
                { approvalStatus: 'PENDING' },
                permittedFilter(actor, 'update', 'User', 'approvalStatus'),
              ],
            }
          : {}),
      };
      return await page(Users, visible(actor, ['list', 'read'], Users, filter), query);
    },
  }),
  route({
    method: 'get',
    path: '/api/users/decisions',
    memory: 2,
    summary: 'Approvals, rejections, changes of role and of site that the caller could take back now',
    description:
      "The caller's own of today, the latest first, at most 200 of account (approval, role) and 200 of site; with `user` the last one of each kind on that user. One that another of its kind came after, or that the rules do not let the caller take back any more, is left out.",
    query: DecisionQuery,
    reply: { 200: DecisionList },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, query }) => ({ data: await listUndoableDecisions(actor, query.user) }),
  }),
  route({
    method: 'get',
    path: '/api/users/:id',
    summary: 'Get one user',
    reply: { 200: User },
    handle: async ({ actor, id }) => await load(actor, 'read', Users, id),
  }),
  route({
    method: 'post',
    path: '/api/users',
    summary: 'Create a user',
    description:
      'A manager creates volunteers at the own current location, which is filled in where none is named. `APPROVED` is for callers who may approve such a user.',
    body: UserCreate,
    example: { phone: '+12065550124', firstName: 'Cy', lastName: 'Moss', role: 'VOLUNTEER' },
    reply: { 201: User },
    problems: ['PHONE_TAKEN'],
    handle: async ({ actor, body, deps }) => {
      const user = await createUser(actor, body, deps.config.defaultRegion);
      return created(user, `/api/users/${user._id}`);
    },
  }),
  route({
    method: 'patch',
    path: '/api/users/:id',
    summary: 'Update a user: approve, reject, reset, assign a location, change role, name or grants',
    description:
      'Each field is checked by itself; one that the caller may not change refuses the whole request. Moves of approvalStatus: PENDING to APPROVED or REJECTED, APPROVED to PENDING, and for a super-admin REJECTED to PENDING. With `was` it is a change of what the caller knows alone: 409 EDIT_CONFLICT where someone decided otherwise meanwhile.',
    body: UserPatch,
    example: { approvalStatus: 'APPROVED' },
    reply: { 200: User },
    problems: ['INVALID_TRANSITION', 'EDIT_CONFLICT', 'LAST_SUPER_ADMIN'],
    handle: async ({ actor, id, body }) => await updateUser(actor, id, body),
  }),
  route({
    method: 'post',
    path: '/api/users/:id/sign-out',
    summary: 'End all sessions of a user',
    description:
      'For whoever may change the approval of this user: a phone was lost, or someone has left. What is not sent yet stays on the phone. One’s own sessions: POST /api/auth/sign-out-everywhere.',
    reply: { 204: null },
    handle: async ({ actor, id }) => {
      await signOutUser(actor, id);
      return noContent();
    },
  }),
  route({
    method: 'delete',
    path: '/api/users/:id',
    summary: 'Delete a user (soft)',
    description: 'The record stays for those that refer to it; its phone is free for a new registration.',
    reply: { 204: null },
    problems: ['LAST_SUPER_ADMIN'],
    handle: async ({ actor, id }) => {
      await deleteUser(actor, id);
      return noContent();
    },
  }),
]);
