// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades

/// Both sides of a many-to-many relationship.
@Entity final class Label: ManagedObject {
  var title: String = ""
  @Relationship(inverse: \Tag.labels) var tags: Set<Tag>
}

@Entity final class Tag: ManagedObject {
  var name: String = ""
  var labels: Set<Label>
}
