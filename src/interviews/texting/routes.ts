import { z } from 'zod';
import { limitUnsignedRequests } from '../../platform/http/limits/rate-limits.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { listMessages, messageTotals, retryMessage } from './list.ts';
import { Message, MessageList, MessageQuery, MessageSummary, MessageWebhookQuery } from './schema.ts';
import { applyMessageReport, isSignedByTwilio, parseWebhookForm } from './webhook.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 64 * 1024;

export const messageRoutes = routeGroup({ tag: 'Messages' }, [
  defineRoute({
    method: 'get',
    path: '/api/messages',
    memory: 'page',
    summary: 'List texts to respondents, newest first',
    description: 'Without the words and the number, which no route shows.',
    query: MessageQuery,
    reply: { 200: MessageList },
    handle: async ({ actor, query }) => await listMessages(actor, query),
  }),
  defineRoute({
    method: 'get',
    path: '/api/messages/summary',
    memory: 'small',
    summary: 'Get how many texts of each kind are in each state, and how many people can be texted',
    reply: { 200: MessageSummary },
    handle: async ({ actor }) => await messageTotals(actor),
  }),
  defineRoute({
    method: 'post',
    path: '/api/messages/:id/retry',
    summary: 'Send a text again that failed, or of which nobody knows',
    description: 'A gift card of which nobody knows if it was sent is never sent again (409).',
    reply: { 200: Message },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id }) => await retryMessage(actor, id),
  }),
  defineRoute({
    method: 'post',
    path: '/api/messages/twilio',
    access: 'public',
    unlimited: true,
    summary: 'For Twilio: what became of a text, and replies such as STOP',
    description:
      'Signed by Twilio (`X-Twilio-Signature`), else 403. 404 unless texts are sent through Twilio. Reports may come in any order and more than once.',
    query: MessageWebhookQuery,
    body: z.instanceof(Buffer),
    maxBytes: MAX_FORM_BYTES,
    fileTypes: [FORM_TYPE],
    reply: { 204: null },
    problems: ['NOT_FOUND', 'FORBIDDEN'],
    handle: async ({ query: { message }, body, header, now, address, deps: { config } }) => {
      if (config.messages.provider !== 'twilio') throw problem('NOT_FOUND');
      const form = parseWebhookForm(body);
      const url = `${config.publicUrl}/api/messages/twilio${message === undefined ? '' : `?message=${message}`}`;
      if (!isSignedByTwilio(config.messages.authToken, url, form, header('x-twilio-signature'))) {
        if (config.rateLimits) await limitUnsignedRequests(address);
        throw problem('FORBIDDEN');
      }
      await applyMessageReport({ form, message, now, config });
      return noContentReply();
    },
  }),
]);
