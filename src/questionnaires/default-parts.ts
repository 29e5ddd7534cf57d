/** Small words to write a questionnaire with: every text in English and in Spanish, or it does not compile. */
export interface BothLanguages {
  en: string;
  es: string;
}

export interface Choice {
  value: string;
  text: BothLanguages;
}

export function say(en: string, es: string): BothLanguages {
  return { en, es };
}

export function choice(value: string, en: string, es: string): Choice {
  return { value, text: say(en, es) };
}

/**
 * The way out of every question that is not needed: it stands apart from the other choices, and in a question with
 * several answers it excludes them. An answer that was refused is data, an empty one is not.
 */
export const MAY_REFUSE = {
  showRefuseItem: true,
  refuseText: say('Prefer not to say', 'Prefiero no responder'),
};

export const MAY_NOT_KNOW = {
  showDontKnowItem: true,
  dontKnowText: say('I do not know', 'No sé'),
};

export const MAY_BE_NONE = {
  showNoneItem: true,
  noneText: say('None of these', 'Nada de esto'),
};

/** "Something else", with a line to write it on; the words are kept under NAME-Comment. */
export const MAY_BE_OTHER = {
  showOtherItem: true,
  otherText: say('Something else', 'Otra cosa'),
  otherPlaceholder: say(
    'Tell us in a few words. No names, please.',
    'Díganos en pocas palabras. Sin nombres, por favor.',
  ),
  otherErrorText: say(
    'Please write what it is, or choose another answer.',
    'Escriba qué es o elija otra respuesta.',
  ),
};

export const YES_NO = [choice('yes', 'Yes', 'Sí'), choice('no', 'No', 'No')];
