/** Texts of the API documentation: the introduction and the titles of problems. */
import type { ProblemName } from './problem.ts';

export const INTRODUCTION = `Respondent-driven sampling: a few first people (seeds) get a coupon each; whoever brings a coupon is interviewed,
and gets new ones for people that they know.

## From nothing to a coupon that comes back

All of it can be done on this page: open a line, press "Try it out", change the example, press "Execute".

1. **The first account.** Open the set-up link that the service printed at its first start. It makes the first
   super-admin, with your phone number. (\`npm run users -- create\` does the same in a terminal.)
2. **Sign in.** Send your number to \`POST /api/auth/send-otp-login\`. The code comes by SMS; without Twilio's settings
   none is sent, and the code is printed in the terminal that runs the service, as \`OTP +12065550100 123456\`. Send
   number and code to \`POST /api/auth/verify-otp-login\`: the answer holds a \`token\`.
3. **Authorize.** Press "Authorize" below, paste the token alone, without quotes, press "Authorize", then "Close".
4. **Someone signs up**, with another number: \`POST /api/auth/send-otp-signup\`, then
   \`POST /api/auth/verify-otp-signup\` with the code. The new account is \`PENDING\`.
5. **Approve it.** \`GET /api/users\` with \`status\` \`PENDING\` shows its \`id\`; \`PATCH /api/users/{id}\` with
   \`{"approvalStatus": "APPROVED"}\`.
6. **A location.** \`POST /api/locations\`; keep the \`id\` of the answer.
7. **A seed.** \`POST /api/seeds\` with that id as \`location\`; the answer's \`referralCode\` is its coupon.
8. **The interview.** \`POST /api/surveys\` with the location, that \`referralCode\` and the answers. The coupons to hand
   out stand in \`issuedCodes\` of what comes back.
9. **The next coupon.** \`POST /api/surveys\` again with one of these: its \`wave\` is 1, and \`recruiter\` is the first
   survey. A coupon counts once: the same one again answers 409.
10. **What came of it.** \`GET /api/recruitment/summary\`, and \`GET /api/recruitment/tree\` with the seed's id.

Ids and codes in the examples are made up: put your own in their place. An id is the \`id\` of a record, as its list
shows it.

## Refusals

They hold a \`message\` for people; most of them a \`code\` for programs; a 400 also \`errors\`, with the path of each field
that is wrong. To tell them in another language: \`code\`, the \`reason\` that says it more narrowly, where there is one,
and the \`code\` of each of \`errors\` are closed sets; \`params\` beside them is what the words name.

They come in this order: 404 unknown path and 405, 401, 403 not approved, 429, 400 shape, 404 record, 403 ability, 409
state. An id that is malformed, unknown or deleted is 404; one that exists and is not for the caller 403.
A known path with another method is 405 with \`Allow\`; 429 and 503 say in \`Retry-After\` when to come back. Every answer
carries \`X-Request-Id\`: the caller's own one if it is 1 to 64 letters, digits, \`_\` or \`-\`.

## Rules for all requests

- JSON in UTF-8 in and out, times in ISO 8601, UTC. Bodies hold 1 MiB at most, an import 2; a field that is not known is refused, and
  so is a query parameter. Text is trimmed. HEAD is answered as GET, a trailing slash as none.
- Lists: \`limit\` (1 to 200), \`cursor\` (what \`nextCursor\` was), \`sort\`, and \`total=true\` for the number of all.
- A one-time code has 6 digits, is good for 10 minutes, 5 tries and one use; a new one ends the old one, and can be asked
  for after 30 seconds, 5 times an hour a phone, 120 times an hour and 720 a day an address. All else: 600 requests a minute.
- Bodies of 64 KiB and more: two of one person are worked on at a time, ten wait, a further one is refused (429). Printed
  files: one at a time, two wait.
- A token is a JWT (HS256, \`sub\` is the user's id) and holds for 12 hours, unless the service is set up otherwise.
- "Today" in the rules about rights is the calendar day in the service's time zone. A person's current location is that
  of the latest survey that the person made, unless an administrator assigned one after it.`;

export const TOKEN =
  'The `token` that `POST /api/auth/verify-otp-login` (or `verify-otp-signup`) answers. Paste it alone: no quotes, no `Bearer` before it.';

/** Titles of the problems whose name is not in the reply. */
export const PLAIN_NAMES: Partial<Record<ProblemName, string>> = {
  UNAUTHORIZED: 'Not signed in',
  NOT_APPROVED: 'Account not approved',
  FORBIDDEN: 'Not allowed to you',
  NOT_FOUND: 'No such record',
  REFERRAL_CODE_UNKNOWN: 'No such referral code',
  INTERNAL: 'Fault of the service',
  METHOD_NOT_ALLOWED: 'Another method',
};
