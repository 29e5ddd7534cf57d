import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { authorFromActor } from '../../platform/rights/actor.ts';
import { loadPermittedRecord, parseId, requireMayChange, requireRight } from '../../platform/rights/guard.ts';
import { QuestionnaireModel, type QuestionnaireRecord } from '../../questionnaires/model.ts';
import { Questionnaire, QuestionnaireActivate } from '../../questionnaires/schema.ts';
import { activateVersion } from './activate.ts';
import { activationImpact } from './impact.ts';
import { ActivationImpact } from './schema.ts';

export const activationRoutes = routeGroup({ tag: 'Questionnaires' }, [
  defineRoute({
    method: 'get',
    path: '/api/questionnaires/:id/activation',
    memory: 'small',
    summary: 'Get what activating a version would change',
    description:
      'What becomes of each outcome with interviews, of the network size and of eligibility: the version asks it too (KEPT), with other choices (CHOICES), not at all (NOT_ASKED), or as another kind of question (KIND).',
    reply: { 200: ActivationImpact },
    handle: async ({ actor, id }) => {
      const questionnaire = await loadPermittedRecord(actor, 'read', QuestionnaireModel, id);
      requireRight(actor, 'update', 'Questionnaire', questionnaire);
      return await activationImpact(questionnaire._id.toHexString());
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/questionnaires/:id',
    summary: 'Activate a version of a questionnaire',
    description:
      'The version that was active no longer is. Interviews in progress keep theirs, and the results keep the answers to every version. If the network size question, eligibility or an outcome used by a count is lost, this needs `confirm: true`; the refusal says in `params.outcomes` what becomes of each outcome.',
    body: QuestionnaireActivate,
    example: { active: true },
    reply: { 200: Questionnaire },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, body }) => {
      const allow = (questionnaire: QuestionnaireRecord) => {
        requireRight(actor, 'update', 'Questionnaire', questionnaire);
        requireMayChange(actor, 'Questionnaire', questionnaire, { active: body.active });
      };
      return await activateVersion(parseId(id), authorFromActor(actor), {
        confirm: body.confirm === true,
        allow,
      });
    },
  }),
]);
