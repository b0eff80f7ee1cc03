// SPDX-License-Identifier: MIT
import CoreData

// Names of UIKit that snippets over Core Data mention. They stand for views, which Linux does not have, and do nothing.

/// Stands for the superclass of an application's delegate.
class UIResponder: NSObject {}

/// Stands for what an application's delegate conforms to.
protocol UIApplicationDelegate {}

/// Stands for the window of an application.
class UIWindow: NSObject {}

/// Stands for a table.
class UITableView: NSObject {}
