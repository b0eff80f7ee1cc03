// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

extension NSEntityDescription {
  /// The entity with a name, in the model of a context.
  public class func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[
      ClassNames.entityName(entityName)]
  }

  /// Makes an object of the entity with a name, of the class that the model names.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    do {
      let name = ClassNames.entityName(entityName)
      return context.own(try context.held.insert(entityNamed: name))
    } catch {
      trap("\(error)")
    }
  }
}
