/**
 * The questionnaire that the service ships with: an interview of 10 to 15 minutes with people who sleep outside, in
 * vehicles, tents, buildings not meant for living, or shelters. Consent, eligibility and the network size are asked for; everything else can be skipped. Who declines
 * or can not take part sees no further page, so that such an interview is complete as it stands.
 *
 * The names of questions and choices are what the data holds: never change one, add another instead.
 */
import { CLOSING_PAGE, HEALTH_PAGE, SERVICES_PAGE } from './default-needs.ts';
import { say } from './default-parts.ts';
import { HOUSING_PAGE, PERSON_PAGE } from './default-person.ts';
import { CONSENT_PAGE, ELIGIBILITY_PAGE, NETWORK_PAGE } from './default-start.ts';

const THANKS = say(
  '<h3>Thank you. You have helped a lot.</h3><p>Your answers help to plan what people here need.</p>',
  '<h3>Gracias. Su ayuda vale mucho.</h3><p>Sus respuestas ayudan a planear lo que la gente de aquí necesita.</p>',
);

const DECLINED = say(
  '<h3>That is fine. Thank you for your time.</h3><p>Nothing changes about the help that you get.</p>',
  '<h3>Está bien. Gracias por su tiempo.</h3><p>Nada cambia en la ayuda que usted recibe.</p>',
);

const NOT_ELIGIBLE = say(
  '<h3>Thank you for your time.</h3><p>This time the interview is for adults who slept outside, in a vehicle, a tent, a building not meant for living, or a shelter in the past 2 weeks, and who have not done it yet. Ask us if you need help: we are glad to point you to it.</p>',
  '<h3>Gracias por su tiempo.</h3><p>Esta vez la entrevista es para personas adultas que durmieron en la calle, en un vehículo, una carpa, un edificio que no es vivienda o un albergue en las últimas 2 semanas y que aún no la han hecho. Si necesita ayuda, pregúntenos: con gusto le diremos dónde encontrarla.</p>',
);

const definition = {
  title: say('Field interview', 'Entrevista de campo'),
  description: say(
    'About life without a home, and what would help',
    'Sobre la vida sin casa y lo que podría ayudar',
  ),
  showProgressBar: true,
  showQuestionNumbers: false,
  checkErrorsMode: 'onNextPage',
  calculatedValues: [
    {
      name: 'isEligible',
      expression:
        "{consent} = 'yes' and {isAdult} = 'yes' and {sleptOutside} = 'yes' and {interviewedBefore} anyof ['no', 'notSure']",
    },
  ],
  completedHtml: THANKS,
  completedHtmlOnCondition: [
    { expression: "{consent} = 'no'", html: DECLINED },
    { expression: "{consent} = 'yes' and {isEligible} <> true", html: NOT_ELIGIBLE },
  ],
  pages: [
    CONSENT_PAGE,
    ELIGIBILITY_PAGE,
    NETWORK_PAGE,
    PERSON_PAGE,
    HOUSING_PAGE,
    HEALTH_PAGE,
    SERVICES_PAGE,
    CLOSING_PAGE,
  ],
};

export const DEFAULT_QUESTIONNAIRE = {
  name: 'Field interview',
  definition,
  networkSizeQuestion: 'networkSize',
  takesPartIf: '{isEligible} = true',
};

/** An interview answered in full. */
export const EXAMPLE_RESPONSES: Record<string, unknown> = {
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  recruiterRelation: 'friend',
  recruiterMutual: 'yes',
  networkKnown: 25,
  networkAdults: 20,
  networkSize: 12,
  ageRange: '35-44',
  genderIdentity: ['woman'],
  raceEthnicity: ['hispanic', 'white'],
  language: 'spanish',
  veteran: 'no',
  sleptLastNight: 'vehicle',
  homelessDuration: '4-11Months',
  homelessTimes: '2',
  homelessMonths: '6-11',
  household: ['partner', 'children'],
  adultsCount: 2,
  childrenCount: 2,
  lastHome: 'here',
  homelessReasons: ['rent', 'job'],
  generalHealth: 'fair',
  healthConditions: ['chronic', 'ptsd'],
  healthKeepsFromHousing: 'yes',
  healthInsurance: 'dontknow',
  careMissed: 'yes',
  feelsSafe: 'sometimes',
  incomeSources: ['job', 'benefits'],
  servicesUsed: ['food', 'hygiene', 'other'],
  'servicesUsed-Comment': 'School supplies',
  servicesNeeded: ['housing', 'storage', 'medical'],
  serviceBarriers: ['full', 'hours'],
  openComment: 'A place to park for the night without being woken up would help most.',
};

/** The least that a whole interview holds: consent, eligibility and the network size. */
export const MINIMAL_RESPONSES: Record<string, unknown> = {
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 12,
};
