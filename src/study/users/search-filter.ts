/** Searches users by the beginning of a name, or by digits of the phone number. */

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const PHONE_LIKE = /^[\d\s()+./-]+$/;

function phoneContains(text: string): object[] {
  const digits = text.replace(/\D/g, '');
  return PHONE_LIKE.test(text) && digits.length >= 3 ? [{ phone: { $regex: digits } }] : [];
}

/** Every word must match; a phone number with spaces also counts as one word. */
export function userSearchFilter(search: string | undefined): object {
  if (!search) return {};
  const words = search.split(/\s+/).map((word) => {
    const begins = { $regex: `(^|[\\s'-])${escaped(word)}`, $options: 'i' };
    return { $or: [{ firstName: begins }, { lastName: begins }, ...phoneContains(word)] };
  });
  return { $or: [{ $and: words }, ...phoneContains(search)] };
}
