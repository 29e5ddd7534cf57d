import { z } from 'zod';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { isLanguageTag } from '../../platform/lib/languages/language-tag.ts';

/** BCP 47, such as `en` or `es-MX`. Browser-safe. */
export const LanguageTag = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, FAULTS.NOT_LANGUAGE)
  .max(35)
  .refine(isLanguageTag, FAULTS.NOT_LANGUAGE);
