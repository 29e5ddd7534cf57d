/**
 * The authorization matrix, in the words of the rules. Columns are the callers' roles, a cell is the status of the
 * answer; for a list it says whether the record of the situation is `in` it or `out`.
 *
 * Words of a situation: who made the record (own, another's) or which role the other user has; when (today,
 * yesterday); where (same site, other site, no site), seen from the caller's current location, which
 * "caller without a site" takes away. "all granted": the caller holds every grant there is, without conditions. What a situation leaves out is: another's, today, same site.
 */
export const MATRIX = `
route                                   | situation                                              | SUPER_ADMIN | ADMIN | MANAGER | VOLUNTEER

GET /api/users                          | VOLUNTEER, today, same site                            | in  | in  | in  | 403
GET /api/users                          | SUPER_ADMIN, yesterday, other site                     | in  | in  | in  | 403
GET /api/users                          | self                                                   | in  | in  | in  | 403

GET /api/users/decisions                | any                                                    | 200 | 200 | 200 | 403

GET /api/users/:id                      | self                                                   | 200 | 200 | 200 | 200
GET /api/users/:id                      | VOLUNTEER, today, same site                            | 200 | 200 | 200 | 403
GET /api/users/:id                      | VOLUNTEER, yesterday, other site                       | 200 | 200 | 200 | 403
GET /api/users/:id                      | SUPER_ADMIN, yesterday, no site                        | 200 | 200 | 200 | 403

POST /api/users                         | VOLUNTEER, same site                                   | 201 | 201 | 201 | 403
POST /api/users                         | VOLUNTEER, site left out                               | 201 | 201 | 201 | 403
POST /api/users                         | VOLUNTEER, other site                                  | 201 | 201 | 403 | 403
POST /api/users                         | VOLUNTEER, same site, caller without a site            | 201 | 201 | 403 | 403
POST /api/users                         | VOLUNTEER, site left out, caller without a site        | 201 | 201 | 403 | 403
POST /api/users                         | VOLUNTEER, same site, APPROVED at once                 | 201 | 201 | 201 | 403
POST /api/users                         | VOLUNTEER, other site, APPROVED at once                | 201 | 201 | 403 | 403
POST /api/users                         | VOLUNTEER, same site, REJECTED at once                 | 400 | 400 | 400 | 400
POST /api/users                         | MANAGER, same site                                     | 201 | 201 | 403 | 403
POST /api/users                         | ADMIN, same site                                       | 201 | 201 | 403 | 403
POST /api/users                         | ADMIN, same site, APPROVED at once                     | 201 | 201 | 403 | 403
POST /api/users                         | SUPER_ADMIN, same site                                 | 201 | 403 | 403 | 403
POST /api/users                         | SUPER_ADMIN, same site, APPROVED at once               | 201 | 403 | 403 | 403

PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, today, same site | 200 | 200 | 200 | 403
PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, today, other site| 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, today, no site   | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, yesterday, same site | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, yesterday, other site | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, today, same site, caller without a site | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset VOLUNTEER, today, no site, caller without a site | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset MANAGER, today, same site   | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset ADMIN, today, same site     | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset ADMIN, yesterday, other site| 200 | 200 | 403 | 403
PATCH /api/users/:id                    | approve or reject or reset SUPER_ADMIN, today, same site | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | mend VOLUNTEER, today, same site                       | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | move VOLUNTEER, today, same site                       | 200 | 200 | 200 | 403
PATCH /api/users/:id                    | move VOLUNTEER, today, other site                      | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | move VOLUNTEER, today, no site                         | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | move VOLUNTEER, today, no site, caller without a site  | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | move VOLUNTEER, yesterday, same site                   | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | move MANAGER, today, same site                         | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | move ADMIN, today, same site                           | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | move SUPER_ADMIN, today, same site                     | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | make a manager of VOLUNTEER, today, same site          | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | make a super-admin of VOLUNTEER, today, same site      | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | make a manager of ADMIN, yesterday, other site         | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | make a manager of SUPER_ADMIN, today, same site        | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | rename VOLUNTEER, today, same site                     | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | rename SUPER_ADMIN, yesterday, other site              | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | mail VOLUNTEER, today, same site                       | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | approve and rename VOLUNTEER, today, same site         | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | grant VOLUNTEER, today, same site                      | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | rename self                                            | 200 | 200 | 200 | 200
PATCH /api/users/:id                    | mail self                                              | 200 | 200 | 200 | 200
PATCH /api/users/:id                    | move self                                              | 200 | 200 | 403 | 403
PATCH /api/users/:id                    | reset self                                             | 403 | 403 | 403 | 403
PATCH /api/users/:id                    | change the role of self                                | 403 | 403 | 403 | 403
PATCH /api/users/:id                    | grant self                                             | 403 | 403 | 403 | 403
PATCH /api/users/:id                    | grant VOLUNTEER, today, same site, all granted         | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | make a super-admin of VOLUNTEER, all granted           | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | make a manager of SUPER_ADMIN, all granted             | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | approve SUPER_ADMIN, today, same site, all granted     | 200 | 403 | 403 | 403
PATCH /api/users/:id                    | reset self, all granted                                | 403 | 403 | 403 | 403
PATCH /api/users/:id                    | change the role of self, all granted                   | 403 | 403 | 403 | 403
PATCH /api/users/:id                    | grant self, all granted                                | 403 | 403 | 403 | 403

POST /api/users/:id/sign-out            | VOLUNTEER, today, same site                            | 204 | 204 | 204 | 403
POST /api/users/:id/sign-out            | VOLUNTEER, today, other site                           | 204 | 204 | 403 | 403
POST /api/users/:id/sign-out            | VOLUNTEER, today, no site, caller without a site       | 204 | 204 | 403 | 403
POST /api/users/:id/sign-out            | VOLUNTEER, yesterday, same site                        | 204 | 204 | 403 | 403
POST /api/users/:id/sign-out            | MANAGER, today, same site                              | 204 | 204 | 403 | 403
POST /api/users/:id/sign-out            | ADMIN, yesterday, other site                           | 204 | 204 | 403 | 403
POST /api/users/:id/sign-out            | SUPER_ADMIN, today, same site                          | 204 | 403 | 403 | 403
POST /api/users/:id/sign-out            | SUPER_ADMIN, today, same site, all granted             | 204 | 403 | 403 | 403
POST /api/users/:id/sign-out            | self                                                   | 403 | 403 | 403 | 403
POST /api/users/:id/sign-out            | self, all granted                                      | 403 | 403 | 403 | 403

DELETE /api/users/:id/passkeys          | VOLUNTEER, today, same site                            | 204 | 204 | 204 | 403
DELETE /api/users/:id/passkeys          | VOLUNTEER, today, other site                           | 204 | 204 | 403 | 403
DELETE /api/users/:id/passkeys          | VOLUNTEER, today, no site, caller without a site       | 204 | 204 | 403 | 403
DELETE /api/users/:id/passkeys          | VOLUNTEER, yesterday, same site                        | 204 | 204 | 403 | 403
DELETE /api/users/:id/passkeys          | MANAGER, today, same site                              | 204 | 204 | 403 | 403
DELETE /api/users/:id/passkeys          | ADMIN, yesterday, other site                           | 204 | 204 | 403 | 403
DELETE /api/users/:id/passkeys          | SUPER_ADMIN, today, same site                          | 204 | 403 | 403 | 403
DELETE /api/users/:id/passkeys          | SUPER_ADMIN, today, same site, all granted             | 204 | 403 | 403 | 403
DELETE /api/users/:id/passkeys          | self                                                   | 403 | 403 | 403 | 403
DELETE /api/users/:id/passkeys          | self, all granted                                      | 403 | 403 | 403 | 403

GET /api/users/:id/sessions             | VOLUNTEER, today, same site                            | 200 | 200 | 200 | 403
GET /api/users/:id/sessions             | VOLUNTEER, today, other site                           | 200 | 200 | 403 | 403
GET /api/users/:id/sessions             | VOLUNTEER, today, no site, caller without a site       | 200 | 200 | 403 | 403
GET /api/users/:id/sessions             | VOLUNTEER, yesterday, same site                        | 200 | 200 | 403 | 403
GET /api/users/:id/sessions             | MANAGER, today, same site                              | 200 | 200 | 403 | 403
GET /api/users/:id/sessions             | ADMIN, yesterday, other site                           | 200 | 200 | 403 | 403
GET /api/users/:id/sessions             | SUPER_ADMIN, today, same site                          | 200 | 403 | 403 | 403
GET /api/users/:id/sessions             | SUPER_ADMIN, today, same site, all granted             | 200 | 403 | 403 | 403
GET /api/users/:id/sessions             | self                                                   | 403 | 403 | 403 | 403
GET /api/users/:id/sessions             | self, all granted                                      | 403 | 403 | 403 | 403

POST /api/users/:id/sign-in-code        | VOLUNTEER, today, same site                            | 201 | 201 | 201 | 403
POST /api/users/:id/sign-in-code        | VOLUNTEER, yesterday, same site                        | 201 | 201 | 201 | 403
POST /api/users/:id/sign-in-code        | VOLUNTEER, today, other site                           | 201 | 201 | 403 | 403
POST /api/users/:id/sign-in-code        | VOLUNTEER, today, no site, caller without a site       | 201 | 201 | 403 | 403
POST /api/users/:id/sign-in-code        | MANAGER, today, same site                              | 201 | 201 | 403 | 403
POST /api/users/:id/sign-in-code        | ADMIN, today, same site                                | 201 | 403 | 403 | 403
POST /api/users/:id/sign-in-code        | ADMIN, today, same site, all granted                   | 201 | 403 | 403 | 403
POST /api/users/:id/sign-in-code        | SUPER_ADMIN, today, same site                          | 403 | 403 | 403 | 403
POST /api/users/:id/sign-in-code        | SUPER_ADMIN, today, same site, all granted             | 403 | 403 | 403 | 403
POST /api/users/:id/sign-in-code        | self                                                   | 403 | 403 | 403 | 403

DELETE /api/users/:id                   | VOLUNTEER, today, same site                            | 204 | 204 | 403 | 403
DELETE /api/users/:id                   | MANAGER, yesterday, other site                         | 204 | 204 | 403 | 403
DELETE /api/users/:id                   | ADMIN, today, no site                                  | 204 | 204 | 403 | 403
DELETE /api/users/:id                   | SUPER_ADMIN, today, same site                          | 204 | 403 | 403 | 403
DELETE /api/users/:id                   | self                                                   | 403 | 403 | 403 | 403
DELETE /api/users/:id                   | self, all granted                                      | 403 | 403 | 403 | 403

GET /api/auth/session                   | own                                                    | 200 | 200 | 200 | 200
GET /api/auth/sessions                  | own                                                    | 200 | 200 | 200 | 200
DELETE /api/auth/sessions/:id           | own                                                    | 204 | 204 | 204 | 204
DELETE /api/auth/sessions/:id           | another's                                              | 404 | 404 | 404 | 404
DELETE /api/auth/sessions/:id           | another's, all granted                                 | 404 | 404 | 404 | 404
POST /api/auth/sign-out                 | own                                                    | 204 | 204 | 204 | 204
POST /api/auth/sign-out-everywhere      | own                                                    | 204 | 204 | 204 | 204
POST /api/auth/send-token               | own                                                    | 201 | 201 | 201 | 201
POST /api/auth/passkeys/options         | own                                                    | 200 | 200 | 200 | 200
POST /api/auth/passkeys                 | own                                                    | 201 | 201 | 201 | 201
POST /api/auth/passkeys                 | another's challenge                                    | 400 | 400 | 400 | 400
GET /api/auth/passkeys                  | own                                                    | 200 | 200 | 200 | 200
POST /api/auth/passkeys/verify          | own                                                    | 200 | 200 | 200 | 200
POST /api/auth/passkeys/verify          | another's                                              | 400 | 400 | 400 | 400
POST /api/auth/passkeys/verify          | another's, all granted                                 | 400 | 400 | 400 | 400
DELETE /api/auth/passkeys/:id           | own                                                    | 204 | 204 | 204 | 204
DELETE /api/auth/passkeys/:id           | own, not confirmed                                     | 403 | 403 | 403 | 403
DELETE /api/auth/passkeys/:id           | another's                                              | 404 | 404 | 404 | 404
DELETE /api/auth/passkeys/:id           | another's, all granted                                 | 404 | 404 | 404 | 404

GET /api/tokens                         | another's                                              | in  | 403 | 403 | 403
GET /api/tokens                         | another's, all granted                                 | in  | 403 | 403 | 403
POST /api/tokens                        | any                                                    | 201 | 403 | 403 | 403
POST /api/tokens                        | any, all granted                                       | 201 | 403 | 403 | 403
DELETE /api/tokens/:id                  | another's                                              | 204 | 403 | 403 | 403
DELETE /api/tokens/:id                  | another's, all granted                                 | 204 | 403 | 403 | 403

POST /api/devices/report                | own                                                    | 204 | 204 | 204 | 204
GET /api/devices                        | another's, same site                                   | in  | in  | in  | 403
GET /api/devices                        | another's, other site                                  | in  | in  | out | 403
GET /api/devices                        | another's, same site, caller without a site            | in  | in  | out | 403
GET /api/devices                        | another's, other site, all granted                     | in  | in  | in  | in

GET /api/surveys                        | own, today, same site                                  | in  | in  | in  | in
GET /api/surveys                        | own, today, other site                                 | in  | in  | out | out
GET /api/surveys                        | own, yesterday, same site                              | in  | out | out | out
GET /api/surveys                        | own, yesterday, other site                             | in  | out | out | out
GET /api/surveys                        | another's, today, same site                            | in  | in  | in  | out
GET /api/surveys                        | another's, today, other site                           | in  | in  | out | out
GET /api/surveys                        | another's, yesterday, same site                        | in  | out | out | out
GET /api/surveys                        | another's, yesterday, other site                       | in  | out | out | out
GET /api/surveys                        | another's, today, caller without a site                | in  | in  | out | out

GET /api/surveys/:id                    | own, today, same site                                  | 200 | 200 | 200 | 200
GET /api/surveys/:id                    | own, today, other site                                 | 200 | 200 | 403 | 403
GET /api/surveys/:id                    | own, yesterday, same site                              | 200 | 403 | 403 | 403
GET /api/surveys/:id                    | own, yesterday, other site                             | 200 | 403 | 403 | 403
GET /api/surveys/:id                    | another's, today, same site                            | 200 | 200 | 200 | 403
GET /api/surveys/:id                    | another's, today, other site                           | 200 | 200 | 403 | 403
GET /api/surveys/:id                    | another's, yesterday, same site                        | 200 | 403 | 403 | 403
GET /api/surveys/:id                    | another's, yesterday, other site                       | 200 | 403 | 403 | 403
GET /api/surveys/:id                    | another's, today, caller without a site                | 200 | 200 | 403 | 403

GET /api/surveys/:id/answers            | own, today, same site                                  | 200 | 200 | 200 | 200
GET /api/surveys/:id/answers            | own, today, other site                                 | 200 | 200 | 403 | 403
GET /api/surveys/:id/answers            | own, yesterday, same site                              | 200 | 403 | 403 | 403
GET /api/surveys/:id/answers            | another's, today, same site                            | 200 | 200 | 200 | 403
GET /api/surveys/:id/answers            | another's, yesterday, other site                       | 200 | 403 | 403 | 403

GET /api/surveys/:id/history            | own, today, same site                                  | 200 | 200 | 200 | 200
GET /api/surveys/:id/history            | own, today, other site                                 | 200 | 200 | 403 | 403
GET /api/surveys/:id/history            | own, yesterday, same site                              | 200 | 403 | 403 | 403
GET /api/surveys/:id/history            | another's, today, same site                            | 200 | 200 | 200 | 403
GET /api/surveys/:id/history            | another's, yesterday, other site                       | 200 | 403 | 403 | 403

POST /api/surveys                       | same site                                              | 201 | 201 | 201 | 201
POST /api/surveys                       | other site                                             | 201 | 201 | 403 | 201
POST /api/surveys                       | same site, caller without a site                       | 201 | 201 | 403 | 201

POST /api/surveys/import                | another's, same site                                   | 200 | 200 | 403 | 403
POST /api/surveys/import                | another's, other site                                  | 200 | 200 | 403 | 403
POST /api/surveys/import                | own, same site                                         | 200 | 200 | 403 | 403

POST /api/surveys/unseal                | own, just signed in                                    | 200 | 200 | 200 | 200
POST /api/surveys/unseal                | another's, just signed in                              | 400 | 400 | 400 | 400
POST /api/surveys/unseal                | own, signed in long ago                                | 403 | 403 | 403 | 403

POST /api/surveys/repeat-check          | any                                                    | 200 | 200 | 200 | 200

PATCH /api/surveys/:id                  | own, today, same site                                  | 200 | 200 | 200 | 200
PATCH /api/surveys/:id                  | own, today, other site                                 | 200 | 200 | 403 | 403
PATCH /api/surveys/:id                  | own, yesterday, same site                              | 200 | 403 | 403 | 403
PATCH /api/surveys/:id                  | own, yesterday, other site                             | 200 | 403 | 403 | 403
PATCH /api/surveys/:id                  | another's, today, same site                            | 200 | 200 | 200 | 403
PATCH /api/surveys/:id                  | another's, today, other site                           | 200 | 200 | 403 | 403
PATCH /api/surveys/:id                  | another's, yesterday, same site                        | 200 | 403 | 403 | 403
PATCH /api/surveys/:id                  | another's, yesterday, other site                       | 200 | 403 | 403 | 403
PATCH /api/surveys/:id                  | another's, today, caller without a site                | 200 | 200 | 403 | 403

DELETE /api/surveys/:id                 | own, today, same site                                  | 204 | 204 | 403 | 403
DELETE /api/surveys/:id                 | own, yesterday, same site                              | 204 | 403 | 403 | 403
DELETE /api/surveys/:id                 | another's, today, other site                           | 204 | 204 | 403 | 403
DELETE /api/surveys/:id                 | another's, yesterday, same site                        | 204 | 403 | 403 | 403

POST /api/surveys/:id/take-code         | own, today, same site                                  | 200 | 200 | 200 | 200
POST /api/surveys/:id/take-code         | own, yesterday, same site                              | 200 | 403 | 403 | 403
POST /api/surveys/:id/take-code         | another's, today, same site                            | 200 | 200 | 200 | 403
POST /api/surveys/:id/take-code         | another's, today, other site                           | 200 | 200 | 403 | 403
POST /api/surveys/:id/take-code         | another's, yesterday, same site                        | 200 | 403 | 403 | 403

POST /api/surveys/:id/review            | own, today, same site                                  | 200 | 403 | 403 | 403
POST /api/surveys/:id/review            | another's, today, same site                            | 200 | 200 | 200 | 403
POST /api/surveys/:id/review            | another's, today, other site                           | 200 | 200 | 403 | 403
POST /api/surveys/:id/review            | another's, yesterday, same site                        | 200 | 403 | 403 | 403
POST /api/surveys/:id/review            | another's, today, caller without a site                | 200 | 200 | 403 | 403
POST /api/surveys/:id/review            | own, today, same site, all granted                     | 200 | 403 | 403 | 403
POST /api/surveys/:id/review            | another's, yesterday, other site, all granted          | 200 | 200 | 200 | 200
POST /api/surveys/:id/review/undo       | own, today, same site                                  | 200 | 403 | 403 | 403
POST /api/surveys/:id/review/undo       | another's, today, same site                            | 200 | 200 | 200 | 403
POST /api/surveys/:id/review/undo       | another's, today, other site                           | 200 | 200 | 403 | 403
POST /api/surveys/:id/review/undo       | another's, yesterday, same site                        | 200 | 403 | 403 | 403
POST /api/surveys/:id/review/undo       | another's, today, caller without a site                | 200 | 200 | 403 | 403
POST /api/surveys/:id/review/undo       | own, today, same site, all granted                     | 200 | 403 | 403 | 403
POST /api/surveys/:id/review/undo       | another's, yesterday, other site, all granted          | 200 | 200 | 200 | 200

POST /api/surveys/review                | another's, today, same site                            | 200 | 200 | 200 | 403
POST /api/surveys/review                | another's, today, same site, all granted               | 200 | 200 | 200 | 200

GET /api/surveys/:id/comments           | own, today, same site                                  | 200 | 200 | 200 | 200
GET /api/surveys/:id/comments           | own, yesterday, same site                              | 200 | 403 | 403 | 403
GET /api/surveys/:id/comments           | another's, today, same site                            | 200 | 200 | 200 | 403
GET /api/surveys/:id/comments           | another's, today, other site                           | 200 | 200 | 403 | 403
GET /api/surveys/:id/comments           | another's, yesterday, other site                       | 200 | 403 | 403 | 403

POST /api/surveys/:id/comments          | own, today, same site                                  | 201 | 201 | 201 | 201
POST /api/surveys/:id/comments          | own, yesterday, same site                              | 201 | 403 | 403 | 403
POST /api/surveys/:id/comments          | another's, today, same site                            | 201 | 201 | 201 | 403
POST /api/surveys/:id/comments          | another's, today, other site                           | 201 | 201 | 403 | 403
POST /api/surveys/:id/comments          | another's, yesterday, other site                       | 201 | 403 | 403 | 403

POST /api/surveys/:id/restore           | own, today, same site                                  | 200 | 200 | 403 | 403
POST /api/surveys/:id/restore           | own, yesterday, same site                              | 200 | 403 | 403 | 403
POST /api/surveys/:id/restore           | another's, today, other site                           | 200 | 200 | 403 | 403
POST /api/surveys/:id/restore           | another's, yesterday, same site                        | 200 | 403 | 403 | 403

POST /api/surveys/:id/erase             | own, today, same site                                  | 200 | 403 | 403 | 403
POST /api/surveys/:id/erase             | another's, today, same site                            | 200 | 403 | 403 | 403
POST /api/surveys/:id/erase             | another's, yesterday, other site                       | 200 | 403 | 403 | 403
POST /api/surveys/:id/erase             | another's, yesterday, other site, all granted          | 200 | 200 | 200 | 200
POST /api/surveys/:id/erase             | own, today, same site, all granted                     | 200 | 200 | 200 | 200

GET /api/seeds                          | another's, yesterday, other site                       | in  | in  | in  | in
GET /api/seeds/:id                      | own, today, same site                                  | 200 | 200 | 200 | 200
GET /api/seeds/:id                      | another's, yesterday, other site                       | 200 | 200 | 200 | 200
POST /api/seeds                         | same site                                              | 201 | 201 | 201 | 201
POST /api/seeds                         | other site                                             | 201 | 201 | 201 | 201
POST /api/seeds                         | same site, caller without a site                       | 201 | 201 | 201 | 201
DELETE /api/seeds/:id                   | own, today, same site                                  | 204 | 204 | 403 | 403
DELETE /api/seeds/:id                   | another's, yesterday, other site                       | 204 | 204 | 403 | 403
DELETE /api/seeds/:id                   | in use                                                 | 409 | 409 | 403 | 403
POST /api/seeds/delete                  | own, today, same site                                  | 200 | 200 | 403 | 403
POST /api/seeds/delete                  | another's, yesterday, other site                       | 200 | 200 | 403 | 403
POST /api/seeds/print                   | own, today, other site                                 | 200 | 200 | 200 | 200
POST /api/seeds/print                   | another's, yesterday, same site                        | 200 | 200 | 200 | 200
POST /api/seeds/print                   | another's, yesterday, other site                       | 200 | 200 | 403 | 403

GET /api/locations                      | any                                                    | in  | in  | in  | in
GET /api/locations/:id                  | any                                                    | 200 | 200 | 200 | 200
POST /api/locations                     | any                                                    | 201 | 201 | 403 | 403
PATCH /api/locations/:id                | any                                                    | 200 | 200 | 403 | 403
DELETE /api/locations/:id               | any                                                    | 204 | 204 | 403 | 403
POST /api/locations/:id/reopen          | any                                                    | 200 | 200 | 403 | 403
POST /api/locations/import              | any                                                    | 200 | 200 | 403 | 403

GET /api/validate-referral-code/:code   | any                                                    | 200 | 200 | 200 | 200
GET /api/referral-codes                 | any                                                    | in  | in  | 403 | 403
PATCH /api/referral-codes/:code         | void a live one                                        | 200 | 200 | 403 | 403
POST /api/referral-codes/blocks         | any                                                    | 201 | 201 | 201 | 201
GET /api/referral-codes/blocks          | own                                                    | in  | in  | in  | in
GET /api/referral-codes/blocks          | another's                                              | out | out | out | out
POST /api/referral-codes/blocks/give-up | own, or another's, which stay as they are              | 200 | 200 | 200 | 200
POST /api/referral-codes/batches        | any                                                    | 201 | 201 | 201 | 403
GET /api/referral-codes/batches         | any                                                    | in  | in  | 403 | 403
POST /api/referral-codes/batches/:id/void  | any                                                 | 200 | 200 | 403 | 403
POST /api/referral-codes/batches/:id/print | another's, yesterday, other site                    | 200 | 200 | 200 | 403

GET /api/questionnaires                 | any                                                    | 200 | 200 | 200 | 200
GET /api/questionnaires/:id             | any                                                    | 200 | 200 | 200 | 200
GET /api/questionnaires/active          | any                                                    | 200 | 200 | 200 | 200
GET /api/questionnaires/:id/xlsform     | any                                                    | 200 | 200 | 200 | 200
POST /api/questionnaires/xlsform        | any                                                    | 200 | 200 | 403 | 403
POST /api/questionnaires                | any                                                    | 201 | 201 | 403 | 403
GET /api/questionnaires/:id/activation  | any                                                    | 200 | 200 | 403 | 403
PATCH /api/questionnaires/:id           | activate                                               | 200 | 200 | 403 | 403

GET /api/questionnaire-drafts           | another's                                              | in  | in  | 403 | 403
GET /api/questionnaire-drafts/:id       | another's                                              | 200 | 200 | 403 | 403
POST /api/questionnaire-drafts          | any                                                    | 201 | 201 | 403 | 403
PATCH /api/questionnaire-drafts/:id     | another's                                              | 200 | 200 | 403 | 403
DELETE /api/questionnaire-drafts/:id    | another's                                              | 204 | 204 | 403 | 403

GET /api/incentives                     | paid by own, today, same site                          | in  | in  | in  | in
GET /api/incentives                     | paid by own, today, other site                         | in  | in  | out | in
GET /api/incentives                     | paid by own, yesterday, same site                      | in  | in  | out | out
GET /api/incentives                     | paid by another's, today, same site                    | in  | in  | in  | out
GET /api/incentives                     | paid by another's, today, other site                   | in  | in  | out | out
GET /api/incentives                     | paid by another's, yesterday, same site                | in  | in  | out | out
GET /api/incentives                     | paid by another's, today, caller without a site        | in  | in  | out | out
GET /api/incentives/summary             | any                                                    | 200 | 200 | 200 | 200
GET /api/incentives/claim/:code         | any                                                    | 200 | 200 | 200 | 200
POST /api/incentives/pay                | any                                                    | 200 | 200 | 403 | 403
POST /api/incentives/:id/pay            | own, today, same site                                  | 200 | 200 | 200 | 200
POST /api/incentives/:id/pay            | another's, today, same site                            | 200 | 200 | 200 | 403
POST /api/incentives/:id/pay            | another's, yesterday, same site                        | 200 | 200 | 403 | 403
POST /api/incentives/:id/pay            | another's, yesterday, other site, by claim number      | 200 | 200 | 200 | 200
POST /api/incentives/:id/pay            | another's, today, by claim number, elsewhere           | 200 | 200 | 403 | 403
POST /api/incentives/:id/pay            | another's, by claim number, elsewhere, all granted     | 200 | 200 | 200 | 200
POST /api/incentives/:id/pay            | another's, by claim number, caller without a site      | 400 | 400 | 400 | 400
POST /api/incentives/:id/withdraw       | own, today, same site                                  | 200 | 200 | 403 | 403
POST /api/incentives/:id/withdraw       | another's, yesterday, other site                       | 200 | 200 | 403 | 403
POST /api/incentives/:id/withdraw       | any, all granted                                       | 200 | 200 | 200 | 200
POST /api/incentives/:id/reopen         | paid by own, today, same site                          | 200 | 200 | 403 | 403
POST /api/incentives/:id/reopen         | paid by another's, yesterday, other site               | 200 | 200 | 403 | 403
POST /api/incentives/:id/reopen         | any, all granted                                       | 200 | 200 | 200 | 200

GET /api/incentives/:id/card            | paid by own, today, same site                          | 404 | 404 | 404 | 404
GET /api/incentives/:id/card            | paid by another's, today, same site                    | 404 | 403 | 403 | 403
GET /api/incentives/:id/card            | paid by another's, all granted                         | 404 | 404 | 404 | 404
POST /api/cards/import                  | any                                                    | 200 | 403 | 403 | 403
POST /api/cards/import                  | any, all granted                                       | 200 | 200 | 200 | 200
GET /api/cards                          | any                                                    | in  | 403 | 403 | 403
GET /api/cards                          | any, all granted                                       | in  | in  | in  | in
GET /api/cards/summary                  | any                                                    | 200 | 403 | 403 | 403
GET /api/cards/summary                  | any, all granted                                       | 200 | 200 | 200 | 200
POST /api/cards/:id/void                | any                                                    | 200 | 403 | 403 | 403
POST /api/cards/:id/void                | any, all granted                                       | 200 | 403 | 403 | 403
GET /api/messages                       | another's, yesterday, other site                       | in  | in  | 403 | 403
GET /api/messages/summary               | any                                                    | 200 | 200 | 403 | 403
POST /api/messages/:id/retry            | any                                                    | 200 | 403 | 403 | 403
POST /api/messages/:id/retry            | any, all granted                                       | 200 | 403 | 403 | 403

GET /api/cash-days                      | today, same site                                       | in  | in  | in  | 403
GET /api/cash-days                      | today, other site                                      | in  | in  | out | 403
GET /api/cash-days                      | yesterday, same site                                   | in  | in  | out | 403
GET /api/cash-days                      | today, same site, caller without a site                | in  | in  | out | 403
GET /api/cash-days                      | yesterday, other site, all granted                     | in  | in  | in  | in
POST /api/cash-days                     | closed already, today, same site                       | 409 | 409 | 409 | 403
POST /api/cash-days                     | closed already, today, other site                      | 409 | 409 | 403 | 403
POST /api/cash-days                     | closed already, yesterday, same site                   | 409 | 409 | 403 | 403
POST /api/cash-days                     | closed already, today, same site, caller without a site| 409 | 409 | 403 | 403
POST /api/cash-days                     | closed already, yesterday, other site, all granted     | 409 | 409 | 409 | 409
POST /api/cash-days/:id/reopen          | reopened already, today, same site                     | 409 | 409 | 409 | 403
POST /api/cash-days/:id/reopen          | reopened already, today, other site                    | 409 | 409 | 403 | 403
POST /api/cash-days/:id/reopen          | reopened already, yesterday, same site                 | 409 | 409 | 403 | 403
POST /api/cash-days/:id/reopen          | reopened already, yesterday, other site, all granted   | 409 | 409 | 409 | 409

GET /api/study                          | any                                                    | 200 | 200 | 200 | 200
PATCH /api/study                        | any                                                    | 200 | 200 | 403 | 403
PATCH /api/study                        | any, all granted                                       | 200 | 200 | 200 | 200
PATCH /api/study                        | time zone                                              | 200 | 403 | 403 | 403
PATCH /api/study                        | time zone, all granted                                 | 200 | 403 | 403 | 403
PATCH /api/study                        | small cells                                            | 200 | 403 | 403 | 403
PATCH /api/study                        | small cells, all granted                               | 200 | 403 | 403 | 403
PATCH /api/study                        | computed outcomes                                      | 200 | 403 | 403 | 403
PATCH /api/study                        | computed outcomes, all granted                         | 200 | 403 | 403 | 403
PATCH /api/study                        | repeat check                                           | 200 | 403 | 403 | 403
PATCH /api/study                        | repeat check, all granted                              | 200 | 403 | 403 | 403
PATCH /api/study                        | retention                                              | 200 | 403 | 403 | 403
PATCH /api/study                        | retention, all granted                                 | 200 | 403 | 403 | 403

GET /api/rounds                         | any                                                    | in  | in  | in  | in
GET /api/rounds/:id                     | any                                                    | 200 | 200 | 200 | 200
POST /api/rounds                        | another one is open                                    | 409 | 403 | 403 | 403
POST /api/rounds                        | another one is open, all granted                       | 409 | 403 | 403 | 403
PATCH /api/rounds/:id                   | any                                                    | 200 | 403 | 403 | 403
PATCH /api/rounds/:id                   | any, all granted                                       | 200 | 403 | 403 | 403
GET /api/rounds/:id/closing             | any                                                    | 200 | 403 | 403 | 403
GET /api/rounds/:id/closing             | any, all granted                                       | 200 | 403 | 403 | 403
POST /api/rounds/:id/close              | closed already                                         | 409 | 403 | 403 | 403
POST /api/rounds/:id/close              | closed already, all granted                            | 409 | 403 | 403 | 403
POST /api/rounds/:id/reopen             | a later one exists                                     | 409 | 403 | 403 | 403
POST /api/rounds/:id/reopen             | a later one exists, all granted                        | 409 | 403 | 403 | 403

GET /api/recruitment/summary            | any                                                    | 200 | 200 | 200 | 403
GET /api/recruitment/summary            | caller without a site                                  | 200 | 200 | 403 | 403
GET /api/recruitment/forecast           | any                                                    | 200 | 200 | 200 | 403
GET /api/recruitment/forecast           | caller without a site                                  | 200 | 200 | 403 | 403
GET /api/recruitment/pace               | any                                                    | 200 | 200 | 200 | 403
GET /api/recruitment/pace               | caller without a site                                  | 200 | 200 | 403 | 403
GET /api/recruitment/sites              | any                                                    | 200 | 200 | 200 | 403
GET /api/recruitment/interviewers       | any                                                    | 200 | 200 | 200 | 403
GET /api/recruitment/chains             | another's, yesterday, other site                       | 200 | 200 | 403 | 403
GET /api/recruitment/forest             | any                                                    | 200 | 200 | 403 | 403
GET /api/recruitment/tree               | another's, yesterday, other site                       | 200 | 200 | 403 | 403

GET /api/quality                        | another's, yesterday, other site                       | in  | in  | 403 | 403
GET /api/quality                        | own, today, all granted                                | in  | in  | in  | in
GET /api/quality/groups                 | any                                                    | 200 | 200 | 403 | 403
GET /api/quality/groups                 | own, today, all granted                                | 200 | 200 | 200 | 200
POST /api/quality/:id/dismiss           | own, today, same site                                  | 200 | 200 | 403 | 403
POST /api/quality/:id/dismiss           | another's, yesterday, other site                       | 200 | 200 | 403 | 403
POST /api/quality/:id/dismiss           | another's, yesterday, other site, all granted          | 200 | 200 | 200 | 200

GET /api/analysis/outcomes              | any                                                    | 200 | 200 | 403 | 403
GET /api/analysis/outcomes              | some days                                              | 200 | 403 | 403 | 403
GET /api/analysis/outcomes              | some days, all granted                                 | 200 | 403 | 403 | 403
GET /api/analysis/estimates             | any                                                    | 200 | 200 | 403 | 403
GET /api/analysis/estimates             | some days                                              | 200 | 403 | 403 | 403
GET /api/analysis/estimates             | some days, all granted                                 | 200 | 403 | 403 | 403
GET /api/analysis/compare               | any                                                    | 200 | 200 | 403 | 403
GET /api/analysis/compare               | some days                                              | 200 | 403 | 403 | 403
GET /api/analysis/compare               | some days, all granted                                 | 200 | 403 | 403 | 403
GET /api/analysis/answers               | any                                                    | 200 | 200 | 403 | 403
GET /api/analysis/answers               | some days                                              | 200 | 403 | 403 | 403
GET /api/analysis/answers               | some days, all granted                                 | 200 | 403 | 403 | 403
GET /api/analysis/change                 |                                                        | 200 | 200 | 403 | 403
GET /api/analysis/publication            |                                                        | 200 | 403 | 403 | 403
GET /api/analysis/report                | any                                                    | 200 | 200 | 403 | 403

POST /api/analysis/runs                 | any                                                    | 202 | 202 | 403 | 403
POST /api/analysis/runs                 | some days                                              | 202 | 403 | 403 | 403
POST /api/analysis/runs                 | some days, all granted                                 | 202 | 403 | 403 | 403
GET /api/analysis/runs                  | another's                                              | in  | in  | 403 | 403
GET /api/analysis/runs/:id              | own                                                    | 200 | 200 | 403 | 403
GET /api/analysis/runs/:id              | another's                                              | 200 | 200 | 403 | 403
DELETE /api/analysis/runs/:id           | own                                                    | 204 | 204 | 403 | 403
DELETE /api/analysis/runs/:id           | another's                                              | 204 | 403 | 403 | 403

POST /api/analysis/counts               | any                                                    | 201 | 201 | 403 | 403
POST /api/analysis/counts               | some days                                              | 201 | 403 | 403 | 403
POST /api/analysis/counts               | some days, all granted                                 | 201 | 403 | 403 | 403
GET /api/analysis/counts                | another's                                              | in  | in  | 403 | 403
GET /api/analysis/counts/:id            | another's                                              | 200 | 200 | 403 | 403
PATCH /api/analysis/counts/:id          | another's                                              | 200 | 200 | 403 | 403
DELETE /api/analysis/counts/:id         | another's                                              | 204 | 204 | 403 | 403
GET /api/analysis/counts/:id/estimate   | another's                                              | 200 | 200 | 403 | 403
GET /api/analysis/counts/:id/change     | another's                                              | 400 | 400 | 403 | 403
GET /api/analysis/counts/:id/tables     | another's                                              | 200 | 200 | 403 | 403
GET /api/analysis/counts/:id/tables.csv | another's                                              | 200 | 200 | 403 | 403
GET /api/exports/interviews.csv         | own, today, same site                                  | in  | in  | in  | in
GET /api/exports/interviews.csv         | own, today, other site                                 | in  | in  | out | out
GET /api/exports/interviews.csv         | own, yesterday, same site                              | in  | out | out | out
GET /api/exports/interviews.csv         | another's, today, same site                            | in  | in  | in  | out
GET /api/exports/interviews.csv         | another's, today, other site                           | in  | in  | out | out
GET /api/exports/interviews.csv         | another's, yesterday, other site                       | in  | out | out | out
GET /api/exports/interviews.json        | own, today, same site                                  | in  | in  | in  | in
GET /api/exports/interviews.json        | another's, today, same site                            | in  | in  | in  | out
GET /api/exports/interviews.json        | another's, yesterday, other site                       | in  | out | out | out
GET /api/exports/incentives.csv         | paid by own, today, same site                          | in  | in  | in  | in
GET /api/exports/incentives.csv         | paid by another's, today, same site                    | in  | in  | in  | out
GET /api/exports/incentives.csv         | paid by another's, yesterday, other site               | in  | in  | out | out
GET /api/exports/cards.csv              | any                                                    | 200 | 403 | 403 | 403
GET /api/exports/cards.csv              | any, all granted                                       | 200 | 200 | 200 | 200
GET /api/exports/codebook.csv           | any                                                    | 200 | 200 | 200 | 200
GET /api/exports/rds.csv                | another's, yesterday, other site                       | in  | 403 | 403 | 403
GET /api/exports/rdsat.txt              | another's, yesterday, other site                       | in  | 403 | 403 | 403
GET /api/exports/tree.graphml           | another's, yesterday, other site                       | in  | 403 | 403 | 403
GET /api/exports/tree.dot               | another's, yesterday, other site                       | in  | 403 | 403 | 403
GET /api/exports/bundle.zip             | any                                                    | 200 | 403 | 403 | 403

GET /api/audit                          | another's, yesterday, other site                       | in  | in  | 403 | 403
`;

/** Routes that ask for no token: those before sign-in, the set-up link (its own secret) and the health checks. */
const PUBLIC = [
  'POST /api/auth/send-otp-signup',
  'POST /api/auth/send-otp-login',
  'POST /api/auth/verify-otp-signup',
  'POST /api/auth/verify-otp-login',
  'POST /api/auth/passkeys/sign-in-options',
  'POST /api/auth/passkeys/sign-in',
  'POST /api/setup',
  'GET /api/locations',
  'GET /api/study/public',
  'GET /api/status/:secret',
  'POST /api/messages/twilio',
  'GET /api/health/live',
  'GET /api/health/ready',
  'GET /api/health/sms',
];

/** Routes about one's own sign-in: any valid token, whatever the approval. They have rows too. */
export const SIGNED_IN = [
  'GET /api/auth/session',
  'POST /api/auth/sign-out-everywhere',
  'POST /api/auth/sign-out',
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'POST /api/auth/send-token',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys',
  'GET /api/auth/passkeys',
  'DELETE /api/auth/passkeys/:id',
  'POST /api/auth/passkeys/verify',
];

export const OPEN = [...PUBLIC, ...SIGNED_IN];
