/** What a user list is searched by: words at the beginning of a name, or digits out of the phone. */

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A phone as people write it. */
const PHONE_LIKE = /^[\d\s()+./-]+$/;

function phoneHolds(text: string): object[] {
  const digits = text.replace(/\D/g, '');
  return PHONE_LIKE.test(text) && digits.length >= 3 ? [{ phone: { $regex: digits } }] : [];
}

/** Each word must be found; a phone number written with blanks counts as one word too. */
export function searchFilter(search: string | undefined): object {
  if (!search) return {};
  const words = search.split(/\s+/).map((word) => {
    const begins = { $regex: `(^|[\\s'-])${escaped(word)}`, $options: 'i' };
    return { $or: [{ firstName: begins }, { lastName: begins }, ...phoneHolds(word)] };
  });
  return { $or: [{ $and: words }, ...phoneHolds(search)] };
}
