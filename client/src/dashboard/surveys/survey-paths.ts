/** The first requests of an interview's page. */
export const surveyPath = (id: string) => `/api/surveys/${id}`;

export const answersPath = (id: string, language: string) => `${surveyPath(id)}/answers?language=${language}`;

export const commentsPath = (id: string) => `${surveyPath(id)}/comments`;
