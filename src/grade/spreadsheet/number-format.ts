/** Formats that are built in by number, not written in the file (ECMA-376 part 1, 18.8.30). */
export function builtInFormat(id: number): string | undefined {
  switch (id) {
    case 1:
      return "0";
    case 2:
      return "0.00";
    case 3:
      return "#,##0";
    case 4:
      return "#,##0.00";
    case 9:
      return "0%";
    case 10:
      return "0.00%";
    case 11:
      return "0.00E+00";
    case 14:
      return "mm-dd-yy";
    case 15:
      return "d-mmm-yy";
    case 16:
      return "d-mmm";
    case 17:
      return "mmm-yy";
    case 18:
      return "h:mm AM/PM";
    case 19:
      return "h:mm:ss AM/PM";
    case 20:
      return "h:mm";
    case 21:
      return "h:mm:ss";
    case 22:
      return "m/d/yy h:mm";
    case 37:
    case 38:
      return "#,##0 ;(#,##0)";
    case 39:
    case 40:
      return "#,##0.00;(#,##0.00)";
    case 45:
      return "mm:ss";
    case 46:
      return "[h]:mm:ss";
    case 47:
      return "mmss.0";
    case 49:
      return "@";
    default:
      return undefined;
  }
}

/** Whether a format shows a number as a date with a day, month or year. Pure times and durations stay numbers. */
export function isDateFormat(code: string): boolean {
  const [first = ""] = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, "").split(";");
  return /[yd]/i.test(first) || /mmm/i.test(first);
}

/** An Excel day number as ISO 8601, to the second (with the leap day of 1900 that Excel invented). */
export function serialToIso(serial: number, date1904: boolean): string | undefined {
  const days = date1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  if (!(days >= 0 && days < 2_958_466)) return undefined;
  const seconds = Math.round((days - 25_569) * 86_400);
  return new Date(seconds * 1000)
    .toISOString()
    .replace(/\.000Z$/, "")
    .replace(/T00:00:00$/, "");
}
