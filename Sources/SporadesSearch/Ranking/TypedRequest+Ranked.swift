// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
import SporadesStore

extension TypedRequest {
  /// The objects that the request's search finds, the best first.
  ///
  /// ```swift
  /// for hit in try Article.search("green ham*").where(\.isPublished).limit(20).ranked(in: context) {
  ///   print(hit.object.title, try hit.snippet(of: \.text).text)
  /// }
  /// ```
  ///
  /// Conditions, offset and limit of the request apply; its order does not. The rank grows with the weight of the texts that have
  /// the words, with the rarity of the words, and with the shortness of the texts. Objects with unsaved changes are
  /// ranked by their new texts and by the numbers of the saved ones.
  public func ranked<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> [SearchHit<Object>] {
    try context.find(orElse: []) { context in
      try RankedRequest(fetchRequest(in: context), in: context).hits()
    }
  }
}
