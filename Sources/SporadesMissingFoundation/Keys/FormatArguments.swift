// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AvoidRetroactiveConformances

public import Foundation

// Programs for Apple's platforms write `date as CVarArg` where they pass a date to a format. On Linux only numbers, `String` and
// `NSString` are such arguments.

extension _CVarArgObject {
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSNumber: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSDate: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSURL: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSData: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSNull: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSArray: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSSet: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSOrderedSet: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSDictionary: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSError: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension NSUUID: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { uuidString as NSString }
}
extension Date: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension UUID: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { uuidString as NSString }
}
extension URL: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { absoluteString as NSString }
}
extension Data: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension Decimal: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension Array: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension Set: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
extension Dictionary: @retroactive _CVarArgObject {
  public var _cVarArgObject: any CVarArg { description as NSString }
}
