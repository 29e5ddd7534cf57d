/** The first requests of an interview's page. */
export const surveyApiPath = (id: string) => `/api/surveys/${id}`;

export const answersApiPath = (id: string, language: string) =>
  `${surveyApiPath(id)}/answers?language=${language}`;

export const commentsPath = (id: string) => `${surveyApiPath(id)}/comments`;
