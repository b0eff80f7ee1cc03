// SPDX-License-Identifier: MIT
import CoreData

/// A note, as a snippet of the guide to "the modern way to use Core Data" declares it.
#if canImport(ObjectiveC)
  @objc(Note)
#endif
public class Note: NSManagedObject {}
extension Note {
  @NSManaged public var content: String?
  @NSManaged public var priority: NSNumber?
}

// The request that the guide leaves out, "but you should not remove".
extension Note {
  public class func fetchRequest() -> NSFetchRequest<Note> {
    NSFetchRequest<Note>(entityName: "Note")
  }
}
