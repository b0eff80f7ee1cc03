// SPDX-License-Identifier: MIT
import CoreData
import Skopelos

// The model is the program's first argument. Without one, the program makes no object.
if let path = CommandLine.arguments.dropFirst().first {
  let service = Skopelos(inMemoryStack: URL(fileURLWithPath: path))
  service.writeSync { context in
    _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
  }.read { context in
    print(context.registeredObjects.count)
  }
}
