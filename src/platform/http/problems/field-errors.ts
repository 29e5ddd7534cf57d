/** Schemas of field errors in replies. `params` are values for the client's translated message. Browser-safe. */
import { z } from 'zod';
import { FIELD_ERROR_CODES } from './error-codes.ts';

export const FieldErrorCode = z.enum(FIELD_ERROR_CODES).meta({ id: 'FaultCode' });
export const FaultParams = z.record(z.string(), z.union([z.string(), z.number()]));
export const FieldErrors = z
  .array(
    z.object({ path: z.string(), message: z.string(), code: FieldErrorCode, params: FaultParams.optional() }),
  )
  .meta({ id: 'FieldErrors' });

const Plain = z.union([z.string(), z.number()]);
/** Params of a whole reply; lists are for programs, not for texts. */
export const ProblemParams = z.record(z.string(), z.union([Plain, z.array(z.record(z.string(), Plain))]));
