import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Model } from 'survey-core';
import { fault } from '../../src/platform/http/problems/error-codes.ts';
import { compileFastAnswerRules } from '../../src/questionnaires/answers/fast-validation.ts';
import { checkDefinition } from '../../src/questionnaires/definition/definition.ts';
import { parseNetworkSize } from '../../src/questionnaires/network-size.ts';
import {
  DEFAULT_FORM_TRANSLATIONS,
  DEFAULT_QUESTIONNAIRE,
  MINIMAL_RESPONSES,
} from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { withTranslations } from '../../src/questionnaires/shipped/merge-translations.ts';
import { checkAnswers } from '../check-answers.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';

const { definition, networkSizeQuestion } = DEFAULT_QUESTIONNAIRE;
const questionnaire = { id: 'default', definition };
const check = (responses: Record<string, unknown>) => checkAnswers(questionnaire, responses);
const { networkSize: _networkSize, ...WITHOUT_NETWORK } = MINIMAL_RESPONSES;

/** The answers a device would send: the interview is played in the form, page by page. */
function playInForm(responses: Record<string, unknown>): { sent: Record<string, unknown>; html: string } {
  const survey = new Model(definition);
  for (let page = 0; page < 20 && survey.state !== 'completed'; page += 1) {
    for (const question of survey.currentPage.questions) {
      if (question.isVisible && question.name in responses) question.value = responses[question.name];
      const comment = responses[`${question.name}-Comment`];
      if (typeof comment === 'string') question.comment = comment;
    }
    if (survey.isLastPage) survey.completeLastPage();
    else survey.nextPage();
  }
  expect(survey.state).toBe('completed');
  return { sent: survey.data as Record<string, unknown>, html: survey.processedCompletedHtml };
}

const TEXT_PROPERTIES = /^(title|description|text|html|completedHtml|\w+Text|\w+Placeholder)$/;

function textsOf(value: unknown, path = ''): { path: string; text: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
    TEXT_PROPERTIES.test(key) ? [{ path: `${path}.${key}`, text: child }] : textsOf(child, `${path}.${key}`),
  );
}

/** HUD's definition (24 CFR 578.3), from the answers of one interview. Null if they are not sufficient. */
function isChronicallyHomeless(answers: Record<string, unknown>): boolean | null {
  const isAnswered = (name: string) => ![undefined, 'refused', 'dontknow'].includes(answers[name] as string);
  const conditions = (answers.healthConditions ?? []) as string[];
  const disabling =
    conditions.some((one) => !['pregnancy', 'none', 'refused'].includes(one)) &&
    answers.healthKeepsFromHousing === 'yes';
  const places = ['outside', 'tent', 'vehicle', 'building', 'transit', 'shelter'];
  const aYear = ['1-3Years', 'over3Years'].includes(answers.homelessDuration as string);
  const fourTimes = answers.homelessTimes === '4-plus' && answers.homelessMonths === '12-plus';
  if (!['sleptLastNight', 'healthConditions', 'homelessDuration'].every(isAnswered)) return null;
  return disabling && places.includes(answers.sleptLastNight as string) && (aYear || fourTimes);
}

const fileOf = (name: string) => JSON.parse(readFileSync(`questionnaires/${name}.json`, 'utf8'));

describe('the files of the default questionnaire', () => {
  const base = fileOf('default');

  it('contain the first version’s questions unchanged but one, plus seven more and how they follow each other', () => {
    const { name, takesPartIf } = DEFAULT_QUESTIONNAIRE;
    const households = ['householdAdults', 'householdInterviewed', 'childrenUnder6'];
    const counts = ['sleptReferenceNight', 'countServiceUsed', 'countServiceNight'];
    const added = ['couponsRefused', ...counts, ...households];
    const all = withTranslations(base.definition, { es: DEFAULT_FORM_TRANSLATIONS.es });
    const { autoAdvanceEnabled, ...first } = all as typeof base.definition;
    expect(autoAdvanceEnabled).toBe(true);
    // The two are no longer asked after a "no", and answers to them that were given anyway stay valid.
    const followsNo = ['sleptOutside', 'interviewedBefore'];
    const pages = first.pages.map((page: { elements: Record<string, unknown>[] }) => ({
      ...page,
      elements: page.elements
        .filter((element) => !added.includes(String(element.name)))
        .map((element) => {
          const { visibleIf, clearIfInvisible, ...rest } = element;
          return followsNo.includes(String(element.name)) ? rest : element;
        }),
    }));
    const whole = {
      name,
      definition: { ...first, pages },
      networkSizeQuestion,
      takesPartIf,
    };
    expect(createHash('sha256').update(JSON.stringify(whole)).digest('hex')).toBe(
      'a158238ce30580c94590706399cffde143906c946c65c5b5e71e60bf1134a827',
    );
  });

  it('are all used in src/questionnaires/shipped/default-questionnaire.ts', () => {
    const files = readdirSync('questionnaires').flatMap(
      (file) => /^default\.(.+)\.json$/.exec(file)?.[1] ?? [],
    );
    expect(files.sort()).toEqual(Object.keys(DEFAULT_FORM_TRANSLATIONS).sort());
  });

  it('are rejected if a text is missing or unused, with its path', () => {
    const definition = { title: 'Hello', pages: [{ name: 'one', elements: [{ name: 'q', title: 'How?' }] }] };
    const es = { title: 'Hola', 'pages/one/elements/q/title': '¿Cómo?' };
    expect(withTranslations(definition, { es })).toEqual({
      title: { en: 'Hello', es: 'Hola' },
      pages: [{ name: 'one', elements: [{ name: 'q', title: { en: 'How?', es: '¿Cómo?' } }] }],
    });
    const fr = { title: 'Bonjour', 'pages/one/title': 'Un' };
    expect(() => withTranslations(definition, { es, fr })).toThrow(
      /fr: nothing is at pages\/one\/title\nfr: no text for pages\/one\/elements\/q\/title/,
    );
  });
});

describe('the default questionnaire', () => {
  it('is a valid definition', () => {
    expect(checkDefinition(definition, networkSizeQuestion)).toEqual([]);
  });

  it('is validated by the fast rules', () => {
    expect(compileFastAnswerRules(definition)?.areRight(EXAMPLE_RESPONSES)).toBe(true);
    expect(compileFastAnswerRules(definition)?.areRight(MINIMAL_RESPONSES)).toBe(true);
  });

  it('has every text in each of its languages, with the same placeholders', () => {
    const texts = textsOf(definition);
    expect(texts.length).toBeGreaterThan(200);
    const incomplete = texts.filter(({ text }) => {
      const translations = text as Record<string, string | undefined>;
      const places = (words = '') => (words.match(/\{[^}]+\}|<[^>]+>/g) ?? []).sort().join();
      return ['en', ...Object.keys(DEFAULT_FORM_TRANSLATIONS)].some(
        (language) =>
          !translations[language]?.trim() || places(translations[language]) !== places(translations.en),
      );
    });
    expect(incomplete).toEqual([]);
  });

  it('gives every question a title and every choice a text', () => {
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const one = value as Record<string, unknown>;
      if (typeof one.type === 'string' && !['html', 'expression'].includes(one.type))
        expect(one).toHaveProperty('title');
      if (Array.isArray(one.choices)) for (const item of one.choices) expect(item).toHaveProperty('text');
      for (const child of Object.values(one)) visit(child);
    };
    visit(definition);
  });

  it('shows Spanish texts in Spanish', () => {
    const survey = new Model(definition);
    survey.locale = 'es';
    expect(survey.getQuestionByName('consent').title).toBe('¿Acepta usted participar?');
  });

  it('asks 30 to 41 questions on 8 pages, and requires only consent, eligibility and the network size', () => {
    const survey = new Model(definition);
    survey.data = MINIMAL_RESPONSES;
    const questions = survey.getAllQuestions().filter((question) => question.hasInput);
    expect(survey.visiblePages).toHaveLength(8);
    expect(questions.length).toBeGreaterThanOrEqual(30);
    expect(questions.length).toBeLessThanOrEqual(41);
    const required = questions.filter((question) => question.isRequired || question.requiredIf);
    expect(required.map((question) => question.name)).toEqual([
      'consent',
      'isAdult',
      'sleptOutside',
      'interviewedBefore',
      'networkSize',
    ]);
  });

  it('asks what defines chronic homelessness: place, duration and a disabling condition', () => {
    const now = { sleptLastNight: 'tent', healthConditions: ['ptsd'], healthKeepsFromHousing: 'yes' };
    const cases: [Record<string, unknown>, boolean | null][] = [
      [{ ...now, homelessDuration: '1-3Years', homelessTimes: '1' }, true],
      [{ ...now, homelessDuration: '4-11Months', homelessTimes: '4-plus', homelessMonths: '12-plus' }, true],
      [{ ...now, homelessDuration: '4-11Months', homelessTimes: '4-plus', homelessMonths: '6to11' }, false],
      [{ ...now, homelessDuration: '4-11Months', homelessTimes: '3', homelessMonths: '12-plus' }, false],
      [{ ...now, homelessDuration: 'over3Years', healthKeepsFromHousing: 'no' }, false],
      [{ ...now, homelessDuration: 'over3Years', sleptLastNight: 'motel' }, false],
      [{ sleptLastNight: 'tent', healthConditions: ['pregnancy'], homelessDuration: 'over3Years' }, false],
      [{ ...now, homelessDuration: 'dontknow' }, null],
    ];
    for (const [answers, expected] of cases) {
      expect(check({ ...MINIMAL_RESPONSES, ...answers })).toEqual([]);
      expect(isChronicallyHomeless(answers)).toBe(expected);
    }
  });

  it('counts the network in the places and weeks that define eligibility', () => {
    const survey = new Model(definition);
    for (const [locale, places, weeks] of [
      ['en', ['outside', 'vehicle', 'tent', 'building not meant for living', 'shelter'], '2 weeks'],
      ['es', ['calle', 'vehículo', 'carpa', 'edificio que no es vivienda', 'albergue'], '2 semanas'],
    ] as const) {
      survey.locale = locale;
      for (const name of ['sleptOutside', 'networkKnown'])
        for (const part of [...places, weeks]) expect(survey.getQuestionByName(name).title).toContain(part);
      expect(survey.getQuestionByName('networkKnown').description).toMatch(/by name|por su nombre/);
    }
  });

  it('does not ask a walk-in who gave the coupon, but accepts answers with and without it', () => {
    const survey = new Model(definition);
    survey.data = MINIMAL_RESPONSES;
    survey.setVariable('cameWithCoupon', 'no');
    expect(survey.getQuestionByName('recruiterRelation').isVisible).toBe(false);
    survey.setVariable('cameWithCoupon', 'yes');
    expect(survey.getQuestionByName('recruiterRelation').isVisible).toBe(true);
    const { recruiterRelation: _who, recruiterMutual: _back, ...walkIn } = EXAMPLE_RESPONSES;
    for (const answers of [walkIn, EXAMPLE_RESPONSES]) {
      expect(check(answers)).toEqual([]);
      expect(compileFastAnswerRules(definition)?.areRight(answers)).toBe(true);
    }
  });

  it('explains coupons, incentive, contact and limits of confidentiality before asking for consent', () => {
    const survey = new Model(definition);
    for (const [locale, words] of [
      ['en', ['coupons', 'thank-you', 'Help desk, 206 555 0100', 'No one can promise']],
      ['es', ['cupones', 'agradecimiento', 'Help desk, 206 555 0100', 'Nadie puede prometer']],
    ] as const) {
      survey.locale = locale;
      survey.setVariable('studyContact', 'Help desk, 206 555 0100');
      const [consent] = survey.pages[0]?.questions ?? [];
      const { processedHtml } = consent as unknown as { processedHtml: string };
      for (const word of words) expect(processedHtml).toContain(word);
    }
  });

  it('asks for the numbers of adults and children in a household with others', () => {
    const survey = new Model(definition);
    survey.data = { ...MINIMAL_RESPONSES, household: ['partner', 'children'] };
    for (const name of ['householdAdults', 'childrenCount'])
      expect(survey.getQuestionByName(name).isVisible).toBe(true);
    survey.setValue('household', ['alone']);
    for (const name of ['householdAdults', 'childrenCount'])
      expect(survey.getQuestionByName(name).isVisible).toBe(false);
  });

  it('asks whether another adult was interviewed only if there is one', () => {
    const survey = new Model(definition);
    const isAsked = (name: string) => survey.getQuestionByName(name).isVisible;
    survey.data = { ...MINIMAL_RESPONSES, household: ['partner'], householdAdults: 1 };
    expect(isAsked('householdInterviewed')).toBe(false);
    survey.setValue('householdAdults', 2);
    expect(isAsked('householdInterviewed')).toBe(true);
    survey.setValue('household', ['alone']);
    expect(isAsked('householdInterviewed')).toBe(false);
  });

  it('warns if there are more small children than children', () => {
    const survey = new Model(definition);
    survey.data = { ...MINIMAL_RESPONSES, household: ['children'], childrenCount: 1, childrenUnder6: 2 };
    expect(survey.validate(true)).toBe(true);
    const { errors } = survey.getQuestionByName('childrenUnder6');
    expect(errors.map(({ notificationType }) => notificationType)).toEqual(['warning']);
  });

  it('has no text-only elements except the consent and closing texts', () => {
    const survey = new Model(definition);
    const texts = survey.getAllQuestions().filter((question) => question.getType() === 'html');
    expect(texts.map(({ name }) => name)).toEqual(['consentText', 'closingText']);
  });

  it('offers a refusal for every health question', () => {
    const survey = new Model(definition);
    const health = survey.getPageByName('healthPage').questions.filter((question) => question.hasInput);
    expect(health.length).toBeGreaterThan(4);
    for (const question of health) expect(question).toHaveProperty('showRefuseItem', true);
  });

  it.each([
    ['a complete interview', EXAMPLE_RESPONSES, 'You have helped a lot'],
    ['a minimal interview', MINIMAL_RESPONSES, 'You have helped a lot'],
    ['a person who declines', { consent: 'no' }, 'That is fine'],
    ['a person who is too young', { consent: 'yes', isAdult: 'no' }, 'This time the interview is for adults'],
    [
      'a person who slept inside',
      { consent: 'yes', isAdult: 'yes', sleptOutside: 'no' },
      'This time the interview is for adults',
    ],
    [
      'a person who has been interviewed before',
      { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes', interviewedBefore: 'yes' },
      'This time the interview is for adults',
    ],
    [
      'a person who does not know the network size',
      { ...WITHOUT_NETWORK, networkSizeMissing: 'dontKnow' },
      'You have helped a lot',
    ],
  ])('accepts what the form sends for %s', (_who, responses, closing) => {
    const { sent: answers, html } = playInForm(responses);
    expect(answers).toEqual(responses);
    expect(html).toContain(closing);
    expect(check(answers)).toEqual([]);
  });

  it('accepts no further answers from a person who declines', () => {
    expect(check({ consent: 'no', veteran: 'yes' })).toEqual([
      { path: 'responses.veteran', ...fault('NOT_SHOWN') },
    ]);
  });

  it.each([0, 1, 100, 101, 10_000])('accepts a network size of %d', (networkSize) => {
    expect(check({ ...MINIMAL_RESPONSES, networkSize })).toEqual([]);
    expect(parseNetworkSize({ networkSizeQuestion }, { networkSize })).toBe(networkSize);
  });

  it.each([
    [0, 'You said 0'],
    [101, 'more than 100'],
  ])('warns about a network size of %d without blocking it', (networkSize, text) => {
    const survey = new Model(definition);
    survey.data = { ...MINIMAL_RESPONSES, networkSize };
    expect(survey.validate(true)).toBe(true);
    const warnings = survey.getQuestionByName('networkSize').errors;
    expect(warnings.map((warning) => warning.notificationType)).toEqual(['warning']);
    expect(warnings[0]?.getText()).toContain(text);
  });

  it.each([
    ['missing', undefined, 'Please give a number'],
    ['below 0', -1, 'can not be below 0'],
    ['not a whole number', 2.5, 'whole number'],
    ['text', '12', 'must be a number'],
  ])('rejects a network size that is %s', (_how, networkSize, text) => {
    const responses = networkSize === undefined ? WITHOUT_NETWORK : { ...WITHOUT_NETWORK, networkSize };
    expect(check(responses)).toEqual([
      {
        path: 'responses.networkSize',
        message: expect.stringContaining(text) as string,
        code: expect.any(String) as string,
      },
    ]);
  });

  it('rejects a network size together with a reason for a missing one', () => {
    expect(check({ ...MINIMAL_RESPONSES, networkSizeMissing: 'dontKnow' })).toHaveLength(1);
  });

  it('lists each missing required answer', () => {
    expect(check({}).map((error) => error.path)).toEqual(['responses.consent']);
    expect(check({ consent: 'yes' }).map((error) => error.path)).toEqual(['responses.isAdult']);
    const adult = { consent: 'yes', isAdult: 'yes', sleptOutside: 'yes' };
    expect(check(adult).map((error) => error.path)).toEqual(['responses.interviewedBefore']);
  });

  it('still accepts what was asked after a “no” by earlier versions', () => {
    const earlier = { consent: 'yes', isAdult: 'no', sleptOutside: 'yes', interviewedBefore: 'no' };
    expect(check(earlier)).toEqual([]);
    expect(check({ ...earlier, sleptOutside: 'maybe' })).toHaveLength(1);
    expect(compileFastAnswerRules(definition)?.areRight(earlier)).toBe(true);
  });
});
