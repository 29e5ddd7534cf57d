/** A questionnaire of two pages, small enough to read in a test. */
export const twoPages = (title = 'How many people do you know?') => ({
  pages: [
    {
      name: 'p1',
      elements: [
        {
          type: 'radiogroup',
          name: 'agrees',
          title: { default: 'Do you agree?', es: '¿Acepta?' },
          isRequired: true,
          choices: ['yes', 'no'],
        },
      ] as Record<string, unknown>[],
    },
    {
      name: 'p2',
      visibleIf: "{agrees} = 'yes'",
      elements: [{ type: 'text', inputType: 'number', name: 'known', title }] as Record<string, unknown>[],
    },
  ],
});
