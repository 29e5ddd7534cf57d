/** Texts to respondents: which ones, and when. Browser-safe. */
import { z } from 'zod';
import { textSchema } from '../../platform/http/field-schemas.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { LanguageTag } from './language.ts';

/** Placeholders that a text may have; the service fills them in. */
export const PLACEHOLDERS = ['study', 'amount', 'sites', 'days'] as const;

const hasOnlyPlaceholders = (template: string): boolean =>
  !/[{}]/.test(template.replace(new RegExp(`\\{(?:${PLACEHOLDERS.join('|')})\\}`, 'g'), ''));

/** The length of three messages; longer texts cost too much for what they say. */
const MAX_TEXT = 480;

const Texts = z
  .record(LanguageTag, textSchema(0, MAX_TEXT).refine(hasOnlyPlaceholders, FAULTS.UNKNOWN_BRACES))
  .meta({
    description: 'By language. It may name `{study}`, `{amount}`, `{sites}` and `{days}`.',
    example: { en: '{study}: {amount} is ready for you at {sites}.' },
  });

/**
 * Default texts by language. They name neither the study's subject nor any person. A letter outside the GSM alphabet
 * (such as the Spanish í and ó) doubles the price of a text, so the first two have none.
 */
export const DEFAULT_MESSAGE_TEXTS = {
  moneyDue: {
    en: '{study}: {amount} is ready for you. Where: {sites}. Bring your claim number. Reply STOP to opt out.',
    es: '{study}: puede cobrar {amount}. Lugar: {sites}. Traiga su No. de cobro. Para no recibir mensajes, responda STOP.',
    zh: '{study}：您可领取{amount}。地点：{sites}。请带领取编号。退订回复 STOP。',
    vi: '{study}: quý vị được nhận {amount}. Nơi nhận: {sites}. Xin mang theo mã nhận tiền. Trả lời STOP để ngừng nhận tin.',
    ru: '{study}: для вас {amount}. Где получить: {sites}. Возьмите номер для выплаты. Отписаться: STOP.',
    ar: '{study}: يمكنك استلام {amount}. المكان: {sites}. يُرجى إحضار رقم الاستحقاق. لإيقاف الرسائل أرسل STOP.',
  },
  card: {
    en: '{study}: your {amount} gift card. Reply STOP to opt out.',
    es: '{study}: su tarjeta de regalo de {amount}. Para no recibir mensajes, responda STOP.',
    zh: '{study}：您的{amount}礼品卡。退订回复 STOP。',
    vi: '{study}: thẻ quà tặng {amount} của quý vị. Trả lời STOP để ngừng nhận tin.',
    ru: '{study}: ваша подарочная карта на {amount}. Отписаться: STOP.',
    ar: '{study}: بطاقة هدية لك بقيمة {amount}. لإيقاف الرسائل أرسل STOP.',
  },
  couponsExpire: {
    en: '{study}: your coupons expire soon (days left: {days}). If you still have some, pass them on. Reply STOP to opt out.',
    es: '{study}: sus cupones vencen pronto. Si le quedan, puede repartirlos. Para no recibir mensajes, responda STOP.',
    zh: '{study}：您的邀请卡还有 {days} 天到期。如果还有剩余，请尽快发出。退订回复 STOP。',
    vi: '{study}: phiếu mời của quý vị còn {days} ngày là hết hạn. Nếu còn phiếu, xin hãy phát. Trả lời STOP để ngừng nhận tin.',
    ru: '{study}: ваши купоны скоро истекают. Осталось дней: {days}. Если они ещё у вас, раздайте их. Отписаться: STOP.',
    ar: '{study}: قسائمك تنتهي قريبًا. الأيام المتبقية: {days}. إن بقي لديك منها شيء فوزّعه. لإيقاف الرسائل أرسل STOP.',
  },
};

const kind = (name: keyof typeof DEFAULT_MESSAGE_TEXTS) => ({
  on: z.boolean().default(false),
  text: Texts.default(DEFAULT_MESSAGE_TEXTS[name]),
});
const hasText = ({ on, text: texts }: { on: boolean; text: Record<string, string> }) =>
  !on || Object.values(texts).some((one) => one !== '');
const NO_TEXT = { path: ['text'], error: FAULTS.MISSING };

const disabledMessage = <T extends keyof typeof DEFAULT_MESSAGE_TEXTS>(name: T) => ({
  on: false,
  text: DEFAULT_MESSAGE_TEXTS[name],
});
const NO_MONEY_DUE = { ...disabledMessage('moneyDue'), afterHours: 24 };
const NO_CARD = disabledMessage('card');
const NO_COUPONS_EXPIRE = { ...disabledMessage('couponsExpire'), daysBefore: 3 };

export const DISABLED_MESSAGE_SETTINGS = {
  moneyDue: NO_MONEY_DUE,
  card: NO_CARD,
  couponsExpire: NO_COUPONS_EXPIRE,
};

export const MessageSettings = z
  .strictObject({
    moneyDue: z
      .strictObject({
        ...kind('moneyDue'),
        afterHours: z
          .int()
          .min(0)
          .max(24 * 14)
          .default(24)
          .meta({
            description:
              'Hours from when money is due until the text may be sent. A random part of a day is added, and it is never sent on the same day.',
          }),
      })
      .refine(hasText, NO_TEXT)
      .default(NO_MONEY_DUE),
    card: z.strictObject(kind('card')).refine(hasText, NO_TEXT).default(NO_CARD),
    couponsExpire: z
      .strictObject({
        ...kind('couponsExpire'),
        daysBefore: z
          .int()
          .min(1)
          .max(30)
          .default(3)
          .meta({ description: 'Days before the coupons expire.' }),
      })
      .refine(hasText, NO_TEXT)
      .default(NO_COUPONS_EXPIRE),
  })
  .meta({ id: 'MessageSettings' });
export type MessageSettings = z.infer<typeof MessageSettings>;

/** Whether any texts are sent. */
export const hasMessages = ({ moneyDue, card, couponsExpire }: MessageSettings): boolean =>
  moneyDue.on || card.on || couponsExpire.on;

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, FAULTS.NOT_TIME);

export const QuietHours = z
  .strictObject({
    from: Time.meta({ description: 'Quiet from this time of day.', example: '20:00' }),
    to: Time.meta({ description: 'Until this time, on the same day or the next.', example: '09:00' }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: FAULTS.SAME_TIMES })
  .meta({ id: 'QuietHours' });
export type QuietHours = z.infer<typeof QuietHours>;

export const DEFAULT_QUIET_HOURS: QuietHours = { from: '20:00', to: '09:00' };

/** What people agree to before a phone takes their number. */
export const ContactConsentText = z.record(LanguageTag, textSchema(0, 1_000)).meta({
  description:
    'By language: what a person agrees to before their number is taken. Phones read it out after the last question.',
  example: { en: 'May we text you when money is waiting for you?' },
});

export const DEFAULT_CONTACT_CONSENT = {
  en: 'We can text you when money is waiting for you and before your coupons expire. We keep your number apart from your answers, show it to nobody, and delete it after the study. You can reply STOP at any time. May we text you?',
  es: 'Podemos enviarle un mensaje de texto cuando tenga dinero por recoger y antes de que venzan sus cupones. Guardamos su número separado de sus respuestas, no se lo mostramos a nadie y lo borramos después del estudio. Puede responder STOP en cualquier momento. ¿Podemos enviarle mensajes?',
  zh: '有酬金等您领取时，或您的邀请卡即将到期时，我们可以给您发短信。您的号码与您的回答分开保存，不给任何人看，研究结束后会删除。您随时可以回复 STOP 停止接收。我们可以给您发短信吗？',
  vi: 'Chúng tôi có thể nhắn tin khi có tiền chờ quý vị nhận và trước khi phiếu mời của quý vị hết hạn. Số điện thoại được lưu riêng với câu trả lời, không cho ai xem, và được xóa sau nghiên cứu. Quý vị có thể trả lời STOP bất cứ lúc nào. Chúng tôi nhắn tin cho quý vị được không?',
  ru: 'Мы можем написать вам, когда вас ждут деньги и когда у ваших купонов истекает срок. Номер хранится отдельно от ваших ответов, его никто не увидит, и после исследования мы его удалим. В любой момент можно ответить STOP. Можно вам писать?',
  ar: 'يمكننا أن نرسل إليك رسالة نصية عندما يكون لك مال تستلمه وقبل أن تنتهي قسائمك. نحفظ رقمك بعيدًا عن إجاباتك، ولا نُطلع عليه أحدًا، ونحذفه بعد الدراسة. يمكنك الرد بكلمة STOP في أي وقت. هل يمكننا مراسلتك؟',
};
