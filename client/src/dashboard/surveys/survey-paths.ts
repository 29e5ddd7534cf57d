/** Data that the page of one interview requests first. */
export const surveyPath = (id: string) => `/api/surveys/${id}`;

export const answersPath = (id: string, language: string) => `${surveyPath(id)}/answers?language=${language}`;

export const commentsPath = (id: string) => `${surveyPath(id)}/comments`;
