/** English of the dashboard's surveys, questionnaires, recruitment board and audit. */
export const deskBEn = {};
