// SPDX-License-Identifier: MIT
// The inputs of JSONTestSuite by Nicolas Seriot (MIT licence). Bytes that are not printable are in hexadecimal.

extension JSONSuite {
  /// A parser may accept or refuse these.
  static let free = texts([
    "number_double_huge_neg_exp": "[123.456e-789]",
    "number_huge_exp":
      "[0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999969999999006]",
    "number_neg_int_huge_exp": "[-1e+9999]",
    "number_pos_double_huge_exp": "[1.5e+9999]",
    "number_real_neg_overflow": "[-123123e100000]",
    "number_real_pos_overflow": "[123123e100000]",
    "number_real_underflow": "[123e-10000000]",
    "number_too_big_neg_int": "[-123123123123123123123123123123]",
    "number_too_big_pos_int": "[100000000000000000000]",
    "number_very_big_negative_int": "[-237462374673276894279832749832423479823246327846]",
    "object_key_lone_2nd_surrogate": "{\"\\uDFAA\":0}",
    "string_1st_surrogate_but_2nd_missing": "[\"\\uDADA\"]",
    "string_1st_valid_surrogate_2nd_invalid": "[\"\\uD888\\u1234\"]",
    "string_incomplete_surrogate_and_escape_valid": "[\"\\uD800\\n\"]",
    "string_incomplete_surrogate_pair": "[\"\\uDd1ea\"]",
    "string_incomplete_surrogates_escape_valid": "[\"\\uD800\\uD800\\n\"]",
    "string_invalid_lonely_surrogate": "[\"\\ud800\"]",
    "string_invalid_surrogate": "[\"\\ud800abc\"]",
    "string_inverted_surrogates_U+1D11E": "[\"\\uDd1e\\uD834\"]",
    "string_lone_second_surrogate": "[\"\\uDFAA\"]",
    "structure_500_nested_arrays":
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
  ])
  .merging(
    bytes([
      "string_UTF-16LE_with_BOM": "fffe5b002200e90022005d00",
      "string_UTF-8_invalid_sequence": "5b22e697a5d188fa225d",
      "string_UTF8_surrogate_U+D800": "5b22eda080225d",
      "string_invalid_utf-8": "5b22ff225d",
      "string_iso_latin_1": "5b22e9225d",
      "string_lone_utf8_continuation_byte": "5b2281225d",
      "string_not_in_unicode_range": "5b22f4bfbfbf225d",
      "string_overlong_sequence_2_bytes": "5b22c0af225d",
      "string_overlong_sequence_6_bytes": "5b22fc83bfbfbfbf225d",
      "string_overlong_sequence_6_bytes_null": "5b22fc8080808080225d",
      "string_truncated-utf-8": "5b22e0ff225d",
      "string_utf16BE_no_BOM": "005b002200e90022005d",
      "string_utf16LE_no_BOM": "5b002200e90022005d00",
      "structure_UTF-8_BOM_empty_object": "efbbbf7b7d",
    ])
  ) { text, _ in text }
}
