/** Labels of the cells in a count's tables that aren't choices of the questionnaire. */
import type { TextByLanguage } from '../../../questionnaires/codebook/countable.ts';

const UNDER_18: TextByLanguage = {
  en: 'Under 18',
  es: 'Menos de 18',
  ar: 'دون 18 سنة',
  ru: 'До 18 лет',
  vi: 'Dưới 18',
  zh: '未满 18 岁',
};

export const COUNT_TABLE_WORDS = {
  under6: {
    en: 'Under 6',
    es: 'Menos de 6',
    ar: 'دون 6 سنوات',
    ru: 'До 6 лет',
    vi: 'Dưới 6',
    zh: '未满 6 岁',
  },
  '6to17': {
    en: '6 to 17',
    es: '6 a 17',
    ar: 'من 6 إلى 17',
    ru: 'От 6 до 17',
    vi: '6 đến 17',
    zh: '6 至 17 岁',
  },
  under18: UNDER_18,
  severalGenders: {
    en: 'More than one gender',
    es: 'Más de un género',
    ar: 'أكثر من هوية واحدة',
    ru: 'Несколько вариантов',
    vi: 'Nhiều hơn một giới tính',
    zh: '多种性别',
  },
  severalRaces: {
    en: 'More than one race',
    es: 'Más de una raza',
    ar: 'أكثر من عِرق واحد',
    ru: 'Несколько рас',
    vi: 'Nhiều hơn một chủng tộc',
    zh: '多种族',
  },
  adultsOnly: {
    en: 'Only adults',
    es: 'Solo personas adultas',
    ar: 'بالغون فقط',
    ru: 'Только взрослые',
    vi: 'Chỉ có người lớn',
    zh: '只有成年人',
  },
  withChildren: {
    en: 'Adults and children',
    es: 'Personas adultas y menores',
    ar: 'بالغون وأطفال',
    ru: 'Взрослые и дети',
    vi: 'Người lớn và trẻ em',
    zh: '成年人和孩子',
  },
  chronic: {
    en: 'Chronically homeless',
    es: 'Sin hogar crónicamente',
    ar: 'بلا مأوى بصورة مزمنة',
    ru: 'Длительно без жилья',
    vi: 'Vô gia cư lâu dài',
    zh: '长期无家可归',
  },
  notChronic: {
    en: 'Not chronically homeless',
    es: 'Sin hogar, pero no crónicamente',
    ar: 'بلا مأوى بصورة غير مزمنة',
    ru: 'Без жилья, но не длительно',
    vi: 'Vô gia cư nhưng không lâu dài',
    zh: '非长期无家可归',
  },
} satisfies Record<string, TextByLanguage>;

/** Joins two labels: "White, Hispanic or Latino". */
export const joinLabels = (one: TextByLanguage, other: TextByLanguage): TextByLanguage =>
  Object.fromEntries(
    Object.entries(one).map(([language, text]) => [
      language,
      `${text}${language.startsWith('zh') ? '，' : language.startsWith('ar') ? '، ' : ', '}${other[language] || other.en || ''}`,
    ]),
  );

/** Titles of the tables. */
export const COUNT_TABLE_TITLES = {
  age: { en: 'Age', es: 'Edad', ar: 'العمر', ru: 'Возраст', vi: 'Tuổi', zh: '年龄' },
  gender: { en: 'Gender', es: 'Género', ar: 'الهوية الجندرية', ru: 'Гендер', vi: 'Giới tính', zh: '性别' },
  race: {
    en: 'Race and ethnicity',
    es: 'Raza y origen étnico',
    ar: 'العِرق والأصل الإثني',
    ru: 'Раса и этническая принадлежность',
    vi: 'Chủng tộc và sắc tộc',
    zh: '种族和族裔',
  },
  veteran: {
    en: 'Served in the military',
    es: 'Sirvió en las fuerzas armadas',
    ar: 'خدم في القوات المسلحة',
    ru: 'Военная служба',
    vi: 'Từng phục vụ quân đội',
    zh: '服过兵役',
  },
  chronic: {
    en: 'Chronic homelessness',
    es: 'Falta crónica de hogar',
    ar: 'التشرد المزمن',
    ru: 'Длительная бездомность',
    vi: 'Vô gia cư lâu dài',
    zh: '长期无家可归',
  },
  householdType: {
    en: 'Type of household',
    es: 'Tipo de hogar',
    ar: 'نوع الأسرة',
    ru: 'Вид домохозяйства',
    vi: 'Loại hộ',
    zh: '家庭类型',
  },
} satisfies Record<string, TextByLanguage>;
