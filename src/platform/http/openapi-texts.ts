/** Texts of the API documentation: the introduction and the titles of problems. */
import type { ProblemName } from './problems/problem.ts';

export const API_INTRODUCTION = `Respondent-driven sampling: a few people (seeds) get the first coupons. Anyone who brings a coupon is interviewed,
and gets new coupons for people they know.

<details><summary>First steps, errors, and rules for all requests</summary>

## From an empty service to the first coupon that comes back

You can do all of this on this page: open a line, press "Try it out", change the example, and press "Execute".

1. **Create the first account.** Open the setup link that the service printed at its first start. It creates the first
   super-admin, with your phone number. (\`npm run users -- create\` does the same in a terminal.)
2. **Sign in.** Send your number to \`POST /api/auth/send-otp-login\`. The code comes by SMS. Without Twilio settings
   no SMS is sent; the terminal that runs the service prints the code, as \`OTP +12065550100 123456\`. Send
   number and code to \`POST /api/auth/verify-otp-login\`: the reply contains a \`token\`.
3. **Authorize.** Press "Authorize" below, paste only the token, without quotes, press "Authorize", then "Close".
4. **Sign up someone else**, with another number: \`POST /api/auth/send-otp-signup\`, then
   \`POST /api/auth/verify-otp-signup\` with the code. The new account is \`PENDING\`.
5. **Approve the account.** \`GET /api/users\` with \`status\` \`PENDING\` shows its \`id\`. Then \`PATCH /api/users/{id}\` with
   \`{"approvalStatus": "APPROVED"}\`.
6. **Create a location.** \`POST /api/locations\`; keep the \`id\` from the reply.
7. **Create a seed.** \`POST /api/seeds\` with that id as \`location\`; the reply's \`referralCode\` is its coupon.
8. **Submit an interview.** \`POST /api/surveys\` with the location, that \`referralCode\` and the answers. The coupons to hand
   out are in \`issuedCodes\` of the reply.
9. **Redeem one of these coupons.** \`POST /api/surveys\` again with one of them: the survey has \`wave\` 1, and the first
   survey as its \`recruiter\`. A coupon counts once: using it again gets 409.
10. **See the result.** \`GET /api/recruitment/summary\`, and \`GET /api/recruitment/tree\` with the seed's id.

Replace the ids and codes in the examples with your own. An id is the \`id\` of a record, as shown in its list.

## Errors

An error has a \`message\` for people and usually a \`code\` for programs. A 400 also has \`errors\`, with the path of each
invalid field. To show errors in another language, translate \`code\`, the more specific \`reason\` if there is one,
and the \`code\` of each of \`errors\`. The values of each are a closed set; \`params\` has what the text mentions.

Checks are made in this order: 404 unknown path and 405, 401, 403 not approved, 429, 400 invalid input, 404 record, 403 permission, 409
state. An id that is malformed, unknown or deleted gets 404; one that exists but that the caller may not see gets 403.
A known path with another method gets 405 with \`Allow\`. 429 and 503 say in \`Retry-After\` when to try again. Every reply
has an \`X-Request-Id\`: the caller's own, if it is 1 to 64 letters, digits, \`_\` or \`-\`.

## Rules for all requests

- Requests and replies are JSON in UTF-8; times are ISO 8601 in UTC. A body has at most 1 MiB, with sealed answers 1.5, an import 3.
  Unknown fields and query parameters are refused. Text is trimmed. HEAD works like GET, and a trailing slash is ignored.
- Lists take \`limit\` (1 to 200), \`cursor\` (the last \`nextCursor\`), \`sort\`, and \`total=true\` for the total number.
- A one-time code has 6 digits and is valid for 10 minutes, 5 tries and one use; a new code replaces it. You can request
  one every 30 seconds and 5 an hour for a phone, and 120 an hour and 720 a day from an address. For everything else the
  limit is 600 requests a minute.
- Requests are limited by the memory they take, per person and in total: one person can have four bodies of 1 MiB processed at a
  time, or many small ones. More requests wait for up to 9 seconds (then 503), at most 300 per person (then 429). Each person can
  have one printed file made at a time, and two more wait.
- A token is a JWT (HS256, \`sub\` is the user's id) and is valid for 12 hours, unless the service is configured differently.
- In permissions, "today" is the calendar day in the study's time zone. A person's current location is that
  of the latest survey they created (by interview date; imported ones left out), unless an administrator has assigned another one since.

</details>`;

export const OPENAPI_TOKEN_DESCRIPTION =
  'The `token` from `POST /api/auth/verify-otp-login` (or `verify-otp-signup`). Paste only the token, without quotes and without `Bearer`.';

/** Titles of the problems whose name isn't in the reply. */
export const PROBLEM_TITLES: Partial<Record<ProblemName, string>> = {
  UNAUTHORIZED: 'Not signed in',
  NOT_APPROVED: 'Account not approved',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'No such record',
  REFERRAL_CODE_UNKNOWN: 'No such referral code',
  INTERNAL: 'Internal error',
  METHOD_NOT_ALLOWED: 'Method not allowed',
};

/** The groups that the specification names, in its order; all others follow. */
const FIRST_GROUPS = ['Setup', 'Auth', 'Users', 'Surveys', 'Seeds', 'Locations'];
const rankOf = (name: string) => FIRST_GROUPS.indexOf(name) + 1 || FIRST_GROUPS.length + 1;

export const sortApiTags = <T extends { name: string }>(tags: readonly T[]): T[] =>
  [...tags].sort((one, other) => rankOf(one.name) - rankOf(other.name));
