/** Every model, for work that needs all collections with all their indexes, whatever else was imported. */
import '../audit/model.ts';
import '../auth/otp-model.ts';
import '../locations/model.ts';
import '../questionnaires/model.ts';
import '../referral-codes/model.ts';
import '../seeds/model.ts';
import '../study/model.ts';
import '../surveys/copies.ts';
import '../surveys/model.ts';
import '../users/model.ts';
