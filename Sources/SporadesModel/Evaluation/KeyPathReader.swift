// SPDX-License-Identifier: MIT

/// Reads the values at the ends of key paths.
enum KeyPathReader {
  /// Reads the value at the end of a key path of to-one steps; null if a step has no object.
  static func value<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Value {
    try value(path.relationships[...], path.attribute, of: subject)
  }

  /// A key path of to-one steps has no value at its end. The function does not read the value.
  static func isNull<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Bool {
    guard let attribute = path.attribute else { return try value(path, of: subject).isNull }
    var subject = subject
    for step in path.relationships {
      guard let next = try subject.related(by: step).first else { return true }
      subject = next
    }
    return try subject.isNull(attribute)
  }

  private static func value<Subject: PredicateSubject>(
    _ steps: ArraySlice<RelationshipShape>, _ attribute: AttributeShape?, of subject: Subject
  ) throws(Subject.Failure) -> Value {
    var subject = subject
    for (index, step) in zip(steps.indices, steps) {
      if attribute == nil, index == steps.endIndex - 1 {
        return try subject.relatedIDs(by: step).first.map { .objectID($0) } ?? .null
      }
      guard let next = try subject.related(by: step).first else { return .null }
      subject = next
    }
    return try attribute.map { attribute throws(Subject.Failure) in
      try subject.value(of: attribute)
    } ?? .objectID(subject.subjectID)
  }

  /// Reads the values at the end of a to-many key path.
  static func values<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> [Value] {
    let last = path.relationships.lastIndex(where: \.isToMany) ?? 0
    let before = try subjects(path.relationships[..<last], from: subject)
    let after = path.relationships[(last + 1)...]
    var values: [Value] = []
    for owner in before {
      if path.attribute == nil, after.isEmpty {
        values += try owner.relatedIDs(by: path.relationships[last]).map { .objectID($0) }
        continue
      }
      for related in try owner.related(by: path.relationships[last]) {
        values.append(try value(after, path.attribute, of: related))
      }
    }
    return values
  }

  static func count<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Int64 {
    guard let last = path.relationships.last else { return 0 }
    var count = 0
    for owner in try subjects(path.relationships.dropLast(), from: subject) {
      count += try owner.relatedIDs(by: last).count
    }
    return Int64(count)
  }

  /// Reads the objects that steps lead to.
  static func subjects<Subject: PredicateSubject>(
    _ steps: ArraySlice<RelationshipShape>, from subject: Subject
  ) throws(Subject.Failure) -> [Subject] {
    var subjects = [subject]
    for step in steps {
      var next: [Subject] = []
      for subject in subjects { next += try subject.related(by: step) }
      subjects = next
    }
    return subjects
  }
}
