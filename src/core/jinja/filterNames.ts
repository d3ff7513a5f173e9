/** Filters of Jinja2 3.1.6, also those that are not supported here because they make web pages or chance. */
const NAMES = new Set(
  (
    'abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format ' +
    'groupby indent int items join last length list lower map max min pprint random reject rejectattr replace reverse ' +
    'round safe select selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode ' +
    'urlize wordcount wordwrap xmlattr'
  ).split(' '),
);

export function hasFilter(name: string): boolean {
  return NAMES.has(name);
}
