/**
 * The default questionnaire on health and on help. Every question can be skipped or refused, as the consent says.
 */
import { choice, MAY_BE_NONE, MAY_BE_OTHER, MAY_NOT_KNOW, MAY_REFUSE, say, YES_NO } from './default-parts.ts';

const ALL_THAT_FIT = say('Choose all that fit.', 'Elija todo lo que corresponda.');

export const HEALTH_PAGE = {
  name: 'healthPage',
  title: say('Your health', 'Su salud'),
  visibleIf: '{isEligible} = true',
  elements: [
    {
      type: 'radiogroup',
      name: 'generalHealth',
      title: say('How is your health in general?', '¿Cómo es su salud en general?'),
      ...MAY_REFUSE,
      choices: [
        choice('veryGood', 'Very good', 'Muy buena'),
        choice('good', 'Good', 'Buena'),
        choice('fair', 'So-so', 'Regular'),
        choice('poor', 'Bad', 'Mala'),
        choice('veryPoor', 'Very bad', 'Muy mala'),
      ],
    },
    {
      type: 'checkbox',
      name: 'healthConditions',
      title: say('Do you live with any of these?', '¿Vive usted con algo de esto?'),
      description: ALL_THAT_FIT,
      ...MAY_REFUSE,
      ...MAY_BE_NONE,
      choices: [
        choice(
          'chronic',
          'A long-term illness, such as diabetes, asthma or heart trouble',
          'Una enfermedad de largo plazo, como diabetes, asma o del corazón',
        ),
        choice('physical', 'A physical disability', 'Una discapacidad física'),
        choice(
          'mental',
          'Depression, anxiety or other mental health trouble',
          'Depresión, ansiedad u otro problema de salud mental',
        ),
        choice(
          'ptsd',
          'Bad memories that keep coming back (PTSD)',
          'Malos recuerdos que vuelven una y otra vez (TEPT)',
        ),
        choice('brainInjury', 'A head injury', 'Una lesión en la cabeza'),
        choice(
          'learning',
          'Trouble learning or remembering things',
          'Problemas para aprender o recordar cosas',
        ),
        choice('substances', 'Trouble with alcohol or drugs', 'Problemas con el alcohol o las drogas'),
        choice('pregnancy', 'I am pregnant', 'Estoy embarazada'),
      ],
    },
    {
      type: 'radiogroup',
      name: 'healthKeepsFromHousing',
      title: say(
        'Does any of this last long and make it hard to live on your own, to work or to keep a home?',
        '¿Algo de esto dura mucho y le dificulta vivir por su cuenta, trabajar o mantener una casa?',
      ),
      visibleIf:
        "{healthConditions} anyof ['chronic', 'physical', 'mental', 'ptsd', 'brainInjury', 'learning', 'substances']",
      ...MAY_REFUSE,
      ...MAY_NOT_KNOW,
      choices: YES_NO,
    },
    {
      type: 'radiogroup',
      name: 'healthInsurance',
      title: say(
        'Do you have health insurance, such as Medicaid?',
        '¿Tiene usted seguro médico, por ejemplo Medicaid?',
      ),
      ...MAY_REFUSE,
      ...MAY_NOT_KNOW,
      choices: YES_NO,
    },
    {
      type: 'radiogroup',
      name: 'careMissed',
      title: say(
        'In the past year, did you need a doctor and not see one?',
        'En el último año, ¿necesitó usted un médico y no pudo verlo?',
      ),
      ...MAY_REFUSE,
      ...MAY_NOT_KNOW,
      choices: YES_NO,
    },
    {
      type: 'radiogroup',
      name: 'feelsSafe',
      title: say('Do you feel safe where you sleep now?', '¿Se siente usted a salvo donde duerme ahora?'),
      ...MAY_REFUSE,
      choices: [
        choice('always', 'Always', 'Siempre'),
        choice('mostly', 'Most of the time', 'Casi siempre'),
        choice('sometimes', 'Sometimes', 'A veces'),
        choice('never', 'Never', 'Nunca'),
      ],
    },
  ],
};

const SERVICES = [
  choice('housing', 'Finding a home', 'Encontrar vivienda'),
  choice('shelter', 'A shelter bed', 'Una cama en un albergue'),
  choice('food', 'Food', 'Comida'),
  choice('hygiene', 'Showers, toilets or laundry', 'Duchas, baños o lavandería'),
  choice('clothes', 'Clothes, blankets or a tent', 'Ropa, cobijas o una carpa'),
  choice('storage', 'A safe place for my things', 'Un lugar seguro para mis cosas'),
  choice('medical', 'A doctor, nurse or dentist', 'Médico, enfermería o dentista'),
  choice('mentalHealth', 'Help with mental health', 'Ayuda para la salud mental'),
  choice('substances', 'Help with alcohol or drugs', 'Ayuda con el alcohol o las drogas'),
  choice('job', 'Help to find a job', 'Ayuda para encontrar trabajo'),
  choice('papers', 'An ID card or other papers', 'Identificación u otros documentos'),
  choice('transport', 'Bus or train fare', 'Pasajes de autobús o tren'),
  choice('phone', 'A phone, or a place to charge it', 'Un teléfono o dónde cargarlo'),
  choice('legal', 'Help with the law or with debts', 'Ayuda legal o con deudas'),
];

export const SERVICES_PAGE = {
  name: 'servicesPage',
  title: say('Help and services', 'Ayuda y servicios'),
  visibleIf: '{isEligible} = true',
  elements: [
    {
      type: 'checkbox',
      name: 'incomeSources',
      title: say('Where does your money come from now?', '¿De dónde viene su dinero ahora?'),
      description: ALL_THAT_FIT,
      ...MAY_REFUSE,
      ...MAY_BE_NONE,
      ...MAY_BE_OTHER,
      choices: [
        choice('job', 'A job or day work', 'Un empleo o trabajo por día'),
        choice('disability', 'Disability payments (SSI, SSDI, VA)', 'Pagos por discapacidad (SSI, SSDI, VA)'),
        choice('retirement', 'A pension or Social Security', 'Pensión o Seguro Social'),
        choice('benefits', 'Cash aid or food stamps', 'Ayuda en efectivo o cupones de alimentos'),
        choice('family', 'Family or friends', 'Familia o amistades'),
        choice('recycling', 'Selling cans, crafts or papers', 'Vender latas, artesanías o periódicos'),
        choice('asking', 'Asking people for money', 'Pedir dinero a la gente'),
      ],
    },
    {
      type: 'checkbox',
      name: 'servicesUsed',
      title: say(
        'What help did you get in the past 30 days?',
        '¿Qué ayuda recibió usted en los últimos 30 días?',
      ),
      description: ALL_THAT_FIT,
      ...MAY_REFUSE,
      ...MAY_BE_NONE,
      ...MAY_BE_OTHER,
      choices: SERVICES,
    },
    {
      type: 'checkbox',
      name: 'servicesNeeded',
      title: say('What help do you need now?', '¿Qué ayuda necesita usted ahora?'),
      description: ALL_THAT_FIT,
      ...MAY_REFUSE,
      ...MAY_BE_NONE,
      ...MAY_BE_OTHER,
      choices: SERVICES,
    },
    {
      type: 'checkbox',
      name: 'serviceBarriers',
      title: say('What makes it hard to get help?', '¿Qué le dificulta recibir ayuda?'),
      description: ALL_THAT_FIT,
      ...MAY_REFUSE,
      ...MAY_BE_NONE,
      ...MAY_BE_OTHER,
      choices: [
        choice('unaware', 'I do not know where to go', 'No sé adónde ir'),
        choice('full', 'It is full, or the wait is long', 'Está lleno o hay que esperar mucho'),
        choice('far', 'It is too far away', 'Queda muy lejos'),
        choice('hours', 'The hours do not work for me', 'El horario no me sirve'),
        choice('papers', 'I do not have the papers', 'No tengo los documentos'),
        choice('language', 'Nobody speaks my language', 'Nadie habla mi idioma'),
        choice(
          'rules',
          'The rules: pets, partner or belongings',
          'Las reglas: mascotas, pareja o pertenencias',
        ),
        choice('unsafe', 'I do not feel safe there', 'No me siento a salvo allí'),
        choice('treatment', 'I was treated badly', 'Me trataron mal'),
      ],
    },
  ],
};

export const CLOSING_PAGE = {
  name: 'closingPage',
  title: say('To finish', 'Para terminar'),
  visibleIf: '{isEligible} = true',
  elements: [
    {
      type: 'comment',
      name: 'openComment',
      title: say('Is there anything else you would like us to know?', '¿Hay algo más que quiera contarnos?'),
      description: say(
        'Please leave out names, phone numbers and addresses.',
        'Por favor, no incluya nombres, teléfonos ni direcciones.',
      ),
      maxLength: 2000,
      rows: 4,
    },
    {
      type: 'html',
      name: 'closingText',
      html: say(
        '<p>That was the last question. You will now get your coupons: please give each one to an adult you know who sleeps outside, in a vehicle, in a tent, in a building not meant for living, or in a shelter, best of all to people who do not know each other.</p>',
        '<p>Esa fue la última pregunta. Ahora recibirá sus cupones: entregue cada uno a una persona adulta que usted conozca y que duerma en la calle, en un vehículo, en una carpa, en un edificio que no es vivienda o en un albergue, mejor si esas personas no se conocen entre sí.</p>',
      ),
    },
  ],
};
