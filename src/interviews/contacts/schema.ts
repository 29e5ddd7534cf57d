/** How a respondent can be texted. Browser-safe. */
import { z } from 'zod';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { LanguageTag } from '../../study/settings/language.ts';

export const ContactInput = z
  .strictObject({
    phone: z
      .string()
      .trim()
      .min(1, FAULTS.NO_PHONE)
      .max(40, FAULTS.PHONE_TOO_LONG)
      .meta({ description: 'As typed; sealed and shown to nobody.', example: '+12065550123' }),
    language: LanguageTag.meta({ description: 'Of the texts.', example: 'en' }),
    consent: z.literal(true).meta({ description: 'The person agreed to `contactConsent` of the study.' }),
  })
  .meta({ id: 'ContactInput' });
export type ContactInput = z.infer<typeof ContactInput>;

export const ContactState = z.enum(['ACTIVE', 'STOPPED', 'INVALID']).meta({
  description: 'STOPPED: the person replied STOP. INVALID: the number can’t be texted.',
});
export type ContactState = z.infer<typeof ContactState>;

export const ContactStatus = z
  .object({ state: ContactState, language: z.string().meta({ example: 'en' }) })
  .meta({ id: 'Contact' });
