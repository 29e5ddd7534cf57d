import mongoose from 'mongoose';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { createdReply, defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { loadPermittedRecord, permittedFilter, visibleFilter } from '../../platform/rights/guard.ts';
import { deleteUser, updateUser } from './change.ts';
import { createUser, phoneWarnings } from './create.ts';
import { UserModel } from './model.ts';
import { resetPasskeysOf } from './passkeys.ts';
import {
  CreatedUser,
  User,
  UserCreate,
  UserDecisionList,
  UserDecisionQuery,
  UserList,
  UserPatch,
  UserQuery,
} from './schema.ts';
import { userSearchFilter } from './search-filter.ts';
import { LACKS_NEEDED_PASSKEY_FILTER } from './second-factor.ts';
import { signOutUser } from './sessions.ts';
import { listUndoableDecisions } from './undo.ts';

export const userRoutes = routeGroup({ tag: 'Users' }, [
  defineRoute({
    method: 'get',
    path: '/api/users',
    memory: 'page',
    summary: 'List users',
    description:
      'Filters: assigned location, approval status, role, users the caller can decide about, users who would need a passkey, and a search by name and phone.',
    query: UserQuery,
    reply: { 200: UserList },
    handle: async ({ actor, query }) => {
      const { location, status, role, decidable, withoutPasskey, search } = query;
      const filter = {
        ...(location ? { location: new mongoose.Types.ObjectId(location) } : {}),
        ...(status ? { approvalStatus: status } : {}),
        ...(role ? { role } : {}),
        ...userSearchFilter(search),
      };
      const more = [
        ...(decidable === 'true'
          ? [{ approvalStatus: 'PENDING' }, permittedFilter(actor, 'update', 'User', 'approvalStatus')]
          : []),
        ...(withoutPasskey === 'true' ? [LACKS_NEEDED_PASSKEY_FILTER] : []),
      ];
      const filters = { $and: [filter, ...more] };
      return await loadRecordPage(
        UserModel,
        visibleFilter(actor, ['list', 'read'], UserModel, filters),
        query,
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/users/decisions',
    memory: 'small',
    summary: 'List decisions that the caller can still undo',
    description:
      'Approvals, rejections, and changes of role and site that the caller made today, latest first: at most 200 about accounts (approval, role) and 200 about sites. With `user`, the last of each kind on that user. Leaves out decisions that a later one of the same kind replaced, or that the caller may no longer undo.',
    query: UserDecisionQuery,
    reply: { 200: UserDecisionList },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, query }) => ({ data: await listUndoableDecisions(actor, query.user) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/users/:id',
    summary: 'Get one user',
    reply: { 200: User },
    handle: async ({ actor, id }) => await loadPermittedRecord(actor, 'read', UserModel, id),
  }),
  defineRoute({
    method: 'post',
    path: '/api/users',
    summary: 'Create a user',
    description:
      'A manager creates volunteers at their own current location, which is the default. `APPROVED` is only allowed for callers who may approve this user. `warnings` says if the phone gets no one-time codes.',
    body: UserCreate,
    example: { phone: '+12065550124', firstName: 'Cy', lastName: 'Moss', role: 'VOLUNTEER' },
    reply: { 201: CreatedUser },
    problems: ['PHONE_TAKEN'],
    handle: async ({ actor, body, deps }) => {
      const user = await createUser(actor, body, deps.config.defaultRegion);
      const { otpCountries } = deps.config;
      return createdReply({ ...user, ...phoneWarnings(user.phone, otpCountries) }, `/api/users/${user._id}`);
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/users/:id',
    summary: 'Update a user: approve, reject, reset, assign a location, change role, name or grants',
    description:
      'Each field is checked separately; if the caller may not change one of them, the whole request is refused. approvalStatus can change from PENDING to APPROVED or REJECTED, from APPROVED to PENDING, and by a super-admin from REJECTED to PENDING. With `was`, the user is changed only if nothing else has changed: 409 EDIT_CONFLICT if someone has decided differently in the meantime.',
    body: UserPatch,
    example: { approvalStatus: 'APPROVED' },
    reply: { 200: User },
    problems: ['INVALID_TRANSITION', 'EDIT_CONFLICT', 'LAST_SUPER_ADMIN'],
    handle: async ({ actor, id, body }) => await updateUser(actor, id, body),
  }),
  defineRoute({
    method: 'post',
    path: '/api/users/:id/sign-out',
    summary: 'End all sessions of a user',
    description:
      'For example after a phone was lost or someone has left. Requires permission to change this user’s approval. Unsent interviews stay on the phone. For your own sessions, use POST /api/auth/sign-out-everywhere.',
    reply: { 204: null },
    handle: async ({ actor, id }) => {
      await signOutUser(actor, id);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/users/:id/passkeys',
    summary: 'Remove all passkeys and recovery codes of a user',
    description:
      'For somebody who has lost them, and signs in with a code again. For callers who may sign this user out (POST /api/users/:id/sign-out); a super-admin’s, by another super-admin. Ends the sessions that a passkey made or confirmed. The user sees who did it. Without a passkey, nothing changes.',
    reply: { 204: null },
    handle: async ({ actor, id }) => {
      await resetPasskeysOf(actor, id);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/users/:id',
    summary: 'Delete a user (soft)',
    description: 'The record stays, because others refer to it; its phone number can be registered again.',
    reply: { 204: null },
    problems: ['LAST_SUPER_ADMIN'],
    handle: async ({ actor, id }) => {
      await deleteUser(actor, id);
      return noContentReply();
    },
  }),
]);
