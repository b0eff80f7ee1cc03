// SPDX-License-Identifier: MIT

/// The differences between the kinds of XML files that the reader reads.
struct XMLForm {
  /// The reader keeps the text between elements.
  let keepsText: Bool
  /// The one declaration of a document type that such a file begins with. It declares nothing in the file itself.
  let documentType: String?

  /// The `contents` of a model.
  static let model = XMLForm(keepsText: false, documentType: nil)
  /// The file that Core Data keeps objects in as XML.
  static let store = XMLForm(
    keepsText: true,
    documentType:
      #"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#)
}
