/** The first half of the default questionnaire: consent, who can take part, and the people one knows. */
import { choice, MAY_REFUSE, say, YES_NO } from './default-parts.ts';

/** Who is studied, in the words of the question that decides who can take part. */
const SLEPT = say(
  'slept outside, in a vehicle, in a tent, in a building not meant for living, or in a shelter',
  'durmieron en la calle, en un vehículo, en una carpa, en un edificio que no es vivienda o en un albergue',
);

const REQUIRED = {
  isRequired: true,
  requiredErrorText: say('Please choose an answer to go on.', 'Elija una respuesta para continuar.'),
};

export const CONSENT_PAGE = {
  name: 'consentPage',
  title: say('Before we start', 'Antes de empezar'),
  elements: [
    {
      type: 'html',
      name: 'consentText',
      // The phone fills in the contact of the study's settings.
      html: say(
        '<p>Hello, and thank you for your time. We want to learn how many people here sleep outside, in vehicles, tents, empty buildings or shelters, and what would help.</p><ul><li>It takes 10 to 15 minutes.</li><li>It is your choice. You can skip any question and stop at any time. Saying no, or stopping, changes nothing about the help that you get.</li><li>Some questions are about health and hard times. You do not have to answer them.</li><li>At the end you get a few coupons for people you know. You do not have to hand them out. If there is a thank-you for the interview, or for each person who comes with your coupon, I tell you now what it is and how you get it.</li><li>We do not ask for your name. Only the study team sees your answers, and reports show totals, never one person.</li><li>No one can promise full secrecy: whoever gave you a coupon may guess that you came, and if someone is in danger or a child is being hurt, we may have to tell.</li></ul><p>Questions or complaints, now or later: {studyContact}</p>',
        '<p>Hola, y gracias por su tiempo. Queremos saber cuántas personas aquí duermen en la calle, en vehículos, carpas, edificios vacíos o albergues, y qué les ayudaría.</p><ul><li>Toma de 10 a 15 minutos.</li><li>Usted decide. Puede saltar cualquier pregunta y parar cuando quiera. Decir que no, o parar, no cambia nada en la ayuda que recibe.</li><li>Algunas preguntas son sobre salud y momentos difíciles. No tiene que responderlas.</li><li>Al final recibe unos cupones para personas que conoce. No está obligado a repartirlos. Si hay un agradecimiento por la entrevista, o por cada persona que venga con su cupón, ahora le digo cuál es y cómo lo recibe.</li><li>No le preguntamos su nombre. Solo el equipo del estudio ve sus respuestas, y los informes muestran totales, nunca a una persona.</li><li>Nadie puede prometer un secreto total: quien le dio un cupón puede suponer que usted vino, y si alguien está en peligro o se hace daño a un menor, quizá tengamos que avisar.</li></ul><p>Preguntas o quejas, ahora o después: {studyContact}</p>',
      ),
    },
    {
      type: 'radiogroup',
      name: 'consent',
      title: say('Do you agree to take part?', '¿Acepta usted participar?'),
      ...REQUIRED,
      choices: [
        choice('yes', 'Yes, I agree', 'Sí, acepto'),
        choice('no', 'No, I do not want to take part', 'No, no quiero participar'),
      ],
    },
  ],
};

export const ELIGIBILITY_PAGE = {
  name: 'eligibilityPage',
  title: say('Can you take part?', '¿Puede usted participar?'),
  visibleIf: "{consent} = 'yes'",
  elements: [
    {
      type: 'radiogroup',
      name: 'isAdult',
      title: say('Are you 18 years old or older?', '¿Tiene usted 18 años o más?'),
      ...REQUIRED,
      choices: YES_NO,
    },
    {
      type: 'radiogroup',
      name: 'sleptOutside',
      title: say(
        'In the past 2 weeks, did you sleep outside, in a vehicle, in a tent, in a building not meant for living, or in a shelter?',
        'En las últimas 2 semanas, ¿durmió usted en la calle, en un vehículo, en una carpa, en un edificio que no es vivienda o en un albergue?',
      ),
      description: say('One night is enough.', 'Basta con una noche.'),
      ...REQUIRED,
      choices: YES_NO,
    },
    {
      type: 'radiogroup',
      name: 'interviewedBefore',
      title: say(
        'Have you done this same interview before, this time around?',
        '¿Ya hizo usted esta misma entrevista en esta campaña?',
      ),
      description: say(
        'Other surveys and counts, or those of past years, do not matter.',
        'No importan otras encuestas o conteos, ni los de años pasados.',
      ),
      ...REQUIRED,
      choices: [...YES_NO, choice('notSure', 'I am not sure', 'No estoy seguro o segura')],
    },
  ],
};

/**
 * How a person came by the coupon tells how far the sample is from the chance that its statistics assume. The phone
 * knows who came without one, and does not ask; to whoever judges the answers later, both are right.
 */
const RECRUITER = [
  {
    type: 'radiogroup',
    name: 'recruiterRelation',
    title: say(
      'Who gave you the coupon that brought you here? That person is…',
      '¿Quién le dio el cupón que lo trajo aquí? Esa persona es…',
    ),
    visibleIf: "{cameWithCoupon} <> 'no'",
    ...MAY_REFUSE,
    choices: [
      choice('partner', 'My partner, wife or husband', 'Mi pareja, esposa o esposo'),
      choice('family', 'A member of my family', 'Alguien de mi familia'),
      choice('closeFriend', 'A close friend', 'Una amistad cercana'),
      choice('friend', 'A friend', 'Una amistad'),
      choice('acquaintance', 'Someone I know a little', 'Alguien que conozco un poco'),
      choice('stranger', 'Someone I did not know before', 'Alguien que no conocía antes'),
      choice('staff', 'A worker or volunteer', 'Una persona que trabaja o es voluntaria aquí'),
      choice('noCoupon', 'Nobody: I have no coupon', 'Nadie: no tengo cupón'),
    ],
  },
  {
    type: 'radiogroup',
    name: 'recruiterMutual',
    title: say(
      'If you had been first, could you have given a coupon to that person?',
      'Si usted hubiera sido primero, ¿podría haberle dado un cupón a esa persona?',
    ),
    visibleIf:
      "{recruiterRelation} anyof ['partner', 'family', 'closeFriend', 'friend', 'acquaintance', 'stranger']",
    ...MAY_REFUSE,
    choices: [...YES_NO, choice('notSure', 'I am not sure', 'No estoy seguro o segura')],
  },
];

const WHOLE_NUMBER = (name: string) => ({
  type: 'expression',
  expression: `{${name}} empty or {${name}} % 1 = 0`,
  text: say('Please give a whole number.', 'Escriba un número entero.'),
});

/** Asks "is that right?" and lets the answer stand: the raw answer is kept, whatever it is. */
const warning = (expression: string, text: { en: string; es: string }) => ({
  type: 'expression',
  notificationType: 'warning',
  expression,
  text,
});

const NUMBER = (name: string) => ({
  type: 'text',
  inputType: 'number',
  name,
  min: 0,
  minErrorText: say('The number can not be below 0.', 'El número no puede ser menor que 0.'),
});

/**
 * The network size in steps: people remember better when a large circle is narrowed than when the small one is asked
 * for at once. Only the last step is the network size. It has no upper limit; 0 and more than 100 ask once more.
 *
 * It is required, since every estimate needs it. But a number that is forced is worse than none, so "I do not know"
 * and "prefer not to say" are offered below it: they take the requirement away, and vanish once there is a number,
 * so that the two can never both be there.
 */
const NETWORK = [
  {
    ...NUMBER('networkKnown'),
    title: say(
      `How many people do you know in this county who ${SLEPT.en} in the past 2 weeks?`,
      `¿A cuántas personas conoce usted en este condado que en las últimas 2 semanas ${SLEPT.es}?`,
    ),
    description: say(
      'You know them and they know you, by name. A good guess is fine.',
      'Usted las conoce y ellas lo conocen a usted, por su nombre. Un cálculo aproximado está bien.',
    ),
    validators: [WHOLE_NUMBER('networkKnown')],
  },
  {
    ...NUMBER('networkAdults'),
    title: say(
      'Of those people, how many are 18 or older?',
      'De esas personas, ¿cuántas tienen 18 años o más?',
    ),
    validators: [
      WHOLE_NUMBER('networkAdults'),
      warning(
        '{networkAdults} empty or {networkKnown} empty or {networkAdults} <= {networkKnown}',
        say(
          'This is more than all the people you said you know. Please check the two numbers.',
          'Es más que todas las personas que dijo conocer. Revise los dos números, por favor.',
        ),
      ),
    ],
  },
  {
    ...NUMBER('networkSize'),
    title: say(
      'Of those adults, how many have you seen or talked to in the past 2 weeks?',
      'De esas personas adultas, ¿con cuántas se vio o habló usted en las últimas 2 semanas?',
    ),
    description: say(
      'In this county, known by name both ways. If one of them gave you a coupon, that person counts too.',
      'En este condado, y se conocen por su nombre. Si una de ellas le dio un cupón, esa persona también cuenta.',
    ),
    requiredIf: '{networkSizeMissing} empty',
    requiredErrorText: say(
      'Please give a number, or choose below why there is none.',
      'Escriba un número o elija abajo por qué no lo hay.',
    ),
    validators: [
      WHOLE_NUMBER('networkSize'),
      warning(
        '{networkSize} empty or {networkSize} > 0',
        say(
          'You said 0. Is that right? If someone gave you a coupon, that person counts too.',
          'Usted dijo 0. ¿Es correcto? Si alguien le dio un cupón, esa persona también cuenta.',
        ),
      ),
      warning(
        '{networkSize} empty or {networkSize} <= 100',
        say(
          'That is more than 100 people. If it is right, just go on.',
          'Son más de 100 personas. Si es correcto, siga adelante.',
        ),
      ),
      warning(
        '{networkSize} empty or {networkAdults} empty or {networkSize} <= {networkAdults}',
        say(
          'This is more than all the adults you said you know. Please check the two numbers.',
          'Es más que todas las personas adultas que dijo conocer. Revise los dos números, por favor.',
        ),
      ),
    ],
  },
  {
    type: 'radiogroup',
    name: 'networkSizeMissing',
    title: say('No number? Choose why:', '¿No hay número? Elija por qué:'),
    visibleIf: '{networkSize} empty',
    showClearButton: true,
    choices: [
      choice('dontKnow', 'I do not know', 'No sé'),
      choice('preferNotToSay', 'Prefer not to say', 'Prefiero no responder'),
    ],
  },
];

export const NETWORK_PAGE = {
  name: 'networkPage',
  title: say('People you know', 'Personas que conoce'),
  visibleIf: '{isEligible} = true',
  elements: [...RECRUITER, ...NETWORK],
};
