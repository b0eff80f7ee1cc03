// SPDX-License-Identifier: MIT

extension KnownTypes {
  /// The types of a module of one kind, divided by spaces.
  struct Row {
    let module: String
    let kind: NominalKind
    let names: String
  }

  /// Public types as the modules of Swift 6.3 on Linux declare them.
  static let rows: [Row] = [
    Row(
      module: "Swift", kind: .class,
      names: """
        AnyKeyPath KeyPath MainActor ManagedBuffer PartialKeyPath ReferenceWritableKeyPath WritableKeyPath
        """),
    Row(
      module: "Swift", kind: .struct,
      names: """
        AnyBidirectionalCollection AnyCollection AnyHashable AnyIndex AnyIterator AnyRandomAccessCollection
        AnySequence Array ArraySlice AsyncStream AsyncStream.Continuation AsyncThrowingStream
        AsyncThrowingStream.Continuation Bool CVaListPointer CancellationError Character CheckedContinuation
        ClosedRange CodingUserInfoKey CollectionDifference CollectionDifference.Index CollectionOfOne
        ContiguousArray DecodingError.Context DefaultIndices DefaultStringInterpolation Dictionary
        Dictionary.Index Dictionary.Keys Dictionary.Values DiscontiguousSlice DiscontiguousSlice.Index
        Double Duration EmptyCollection EncodingError.Context EnumeratedSequence Float Float16 Float80
        Hasher IndexingIterator InlineArray Int Int.Words Int128 Int16 Int16.Words Int32 Int32.Words Int64
        Int64.Words Int8 Int8.Words IteratorSequence KeyValuePairs KeyedDecodingContainer
        KeyedEncodingContainer ManagedBufferPointer Mirror MutableRawSpan MutableSpan ObjectIdentifier
        OpaquePointer OutputRawSpan OutputSpan PartialRangeFrom PartialRangeThrough PartialRangeUpTo
        PrefixSequence Range RangeSet RangeSet.Ranges RawSpan Repeated ReversedCollection
        ReversedCollection.Index Set Set.Index Slice Span StaticBigInt StaticString StrideThrough
        StrideThroughIterator StrideTo StrideToIterator String String.Index String.UTF16View String.UTF8View
        String.UnicodeScalarView Substring Substring.UTF16View Substring.UTF8View
        Substring.UnicodeScalarView SystemRandomNumberGenerator Task TaskGroup TaskPriority
        ThrowingTaskGroup UInt UInt.Words UInt128 UInt128.Words UInt16 UInt16.Words UInt32 UInt32.Words
        UInt64 UInt64.Words UInt8 UInt8.Words UTF8Span UTF8Span.CharacterIterator
        UTF8Span.UnicodeScalarIterator Unicode.CanonicalCombiningClass Unicode.Scalar Unmanaged UnownedJob
        UnownedSerialExecutor UnsafeBufferPointer UnsafeContinuation UnsafeCurrentTask
        UnsafeMutableBufferPointer UnsafeMutablePointer UnsafeMutableRawBufferPointer
        UnsafeMutableRawPointer UnsafePointer UnsafeRawBufferPointer UnsafeRawPointer
        """),
    Row(
      module: "Swift", kind: .enum,
      names: """
        CollectionDifference.Change CommandLine DecodingError EncodingError FloatingPointClassification
        FloatingPointRoundingRule FloatingPointSign MemoryLayout Mirror.AncestorRepresentation
        Mirror.DisplayStyle Never Optional Result UnboundedRange_ Unicode Unicode.ASCII
        Unicode.GeneralCategory Unicode.NumericType Unicode.ParseResult Unicode.UTF16 Unicode.UTF32
        Unicode.UTF8 UnicodeDecodingResult
        """),
    Row(
      module: "Swift", kind: .protocol,
      names: """
        Actor AdditiveArithmetic AsyncIteratorProtocol AsyncSequence BidirectionalCollection
        BinaryFloatingPoint BinaryInteger BitwiseCopyable CVarArg CaseIterable CodingKey
        CodingKeyRepresentable Collection Comparable CustomDebugStringConvertible
        CustomLeafReflectable CustomPlaygroundDisplayConvertible CustomReflectable CustomStringConvertible
        Decodable Decoder DurationProtocol Encodable Encoder Equatable Error Executor
        FixedWidthInteger FloatingPoint Hashable Identifiable InstantProtocol IteratorProtocol
        KeyedDecodingContainerProtocol KeyedEncodingContainerProtocol LosslessStringConvertible MirrorPath
        MutableCollection Numeric OptionSet RandomAccessCollection RandomNumberGenerator RangeExpression
        RangeReplaceableCollection RawRepresentable Sendable SendableMetatype Sequence SerialExecutor
        SetAlgebra SignedInteger SignedNumeric SingleValueDecodingContainer SingleValueEncodingContainer
        Strideable StringInterpolationProtocol StringProtocol TaskExecutor TextOutputStream
        TextOutputStreamable UnicodeCodec UnkeyedDecodingContainer UnkeyedEncodingContainer UnsignedInteger
        """),
    Row(
      module: "Foundation", kind: .class,
      names: """
        BlockOperation Bundle ByteCountFormatter DateFormatter DateIntervalFormatter Dimension
        EnergyFormatter FileHandle Formatter Host ISO8601DateFormatter InputStream JSONSerialization
        LengthFormatter MassFormatter NSAffineTransform NSArray NSAttributedString NSCache NSCalendar
        NSCharacterSet NSCoder NSComparisonPredicate NSCompoundPredicate NSCondition NSConditionLock
        NSCountedSet NSData NSDate NSDateComponents NSDateInterval NSDecimalNumber NSDecimalNumberHandler
        NSDictionary NSEnumerator NSError NSExpression NSIndexPath NSIndexSet NSKeyedArchiver
        NSKeyedUnarchiver NSLocale NSLock NSMeasurement NSMutableArray NSMutableAttributedString
        NSMutableCharacterSet NSMutableData NSMutableDictionary NSMutableIndexSet NSMutableOrderedSet
        NSMutableSet NSMutableString NSNotification NSNull NSNumber NSObject NSOrderedSet NSOrthography
        NSPersonNameComponents NSPredicate NSRecursiveLock NSRegularExpression NSSet NSSortDescriptor
        NSString NSTextCheckingResult NSTimeZone NSURL NSURLComponents NSURLQueryItem NSUUID NSValue
        NotificationQueue NumberFormatter Operation OperationQueue OutputStream
        PersonNameComponentsFormatter Pipe Port PortMessage Process Progress PropertyListSerialization
        RunLoop Scanner SocketPort Stream Thread Timer Unit UnitAcceleration UnitAngle UnitArea
        UnitConcentrationMass UnitConverter UnitConverterLinear UnitDispersion UnitDuration
        UnitElectricCharge UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance
        UnitEnergy UnitFrequency UnitFuelEfficiency UnitIlluminance UnitLength UnitMass UnitPower
        UnitPressure UnitSpeed UnitTemperature UnitVolume UserDefaults
        """),
    Row(
      module: "Foundation", kind: .struct,
      names: """
        AffineTransform AlignmentOptions ByteCountFormatter.Units CGFloat CGPoint CGRect CGSize CharacterSet
        ISO8601DateFormatter.Options IndexSet IndexSet.Index IndexSet.RangeView
        JSONSerialization.ReadingOptions JSONSerialization.WritingOptions Measurement Morphology
        Morphology.CustomPronoun NSAffineTransformStruct NSAttributedString.EnumerationOptions
        NSAttributedString.Key NSBinarySearchingOptions NSCalendar.Identifier NSCalendar.Options
        NSCalendar.Unit NSComparisonPredicate.Options NSEdgeInsets NSEnumerationOptions NSExceptionName
        NSIndexSetIterator NSLocale.Key NSNotification.Name NSRegularExpression.MatchingFlags
        NSRegularExpression.MatchingOptions NSRegularExpression.Options NSSortOptions
        NSString.EncodingConversionOptions NSString.EnumerationOptions NSTextCheckingKey
        NSTextCheckingResult.CheckingType NSZone Notification NotificationQueue.NotificationCoalescing
        ObjCBool PersonNameComponents PersonNameComponentsFormatter.Options Progress.FileOperationKind
        ProgressKind ProgressUserInfoKey PropertyListSerialization.MutabilityOptions RunLoop.Mode
        Stream.Event Stream.PropertyKey StreamNetworkServiceTypeValue StreamSOCKSProxyConfiguration
        StreamSOCKSProxyVersion StreamSocketSecurityLevel StringTransform URLError URLFileResourceType
        URLResourceKey URLResourceValues _NSRange
        """),
    Row(
      module: "Foundation", kind: .enum,
      names: """
        ByteCountFormatter.CountStyle CGRectEdge DateFormatter.Style DateIntervalFormatter.Style
        EnergyFormatter.Unit Formatter.Context Formatter.UnitStyle InflectionRule LengthFormatter.Unit
        MassFormatter.Unit Morphology.GrammaticalGender Morphology.GrammaticalNumber Morphology.PartOfSpeech
        NSCoder.DecodingFailurePolicy NSComparisonPredicate.Modifier NSComparisonPredicate.Operator
        NSCompoundPredicate.LogicalType NSExpression.ExpressionType NSRectEdge
        NotificationQueue.PostingStyle NumberFormatter.PadPosition NumberFormatter.RoundingMode
        NumberFormatter.Style Operation.QueuePriority PersonNameComponentsFormatter.Style
        Process.TerminationReason QualityOfService Scanner.NumberRepresentation Stream.Status URLError.Code
        """),
    Row(
      module: "Foundation", kind: .protocol,
      names: """
        CustomNSError NSCacheDelegate NSCoding NSCopying NSDecimalNumberBehaviors NSKeyedArchiverDelegate
        NSKeyedUnarchiverDelegate NSLocking NSMutableCopying NSObjectProtocol NSSecureCoding PortDelegate
        ProgressReporting RecoverableError ReferenceConvertible StreamDelegate
        """),
    Row(
      module: "FoundationEssentials", kind: .class,
      names: """
        FileManager JSONDecoder JSONEncoder NotificationCenter ProcessInfo PropertyListDecoder
        PropertyListEncoder
        """),
    Row(
      module: "FoundationEssentials", kind: .struct,
      names: """
        AttributeContainer AttributeContainer.Builder AttributeScopeCodableConfiguration AttributedString
        AttributedString.AttributeInvalidationCondition AttributedString.CharacterView
        AttributedString.Index AttributedString.SingleAttributeTransformer AttributedString.UTF16View
        AttributedString.UTF8View AttributedString.UnicodeScalarView AttributedSubstring Calendar
        Calendar.RecurrenceRule CocoaError CocoaError.Code CodableConfiguration ComparableComparator Data
        Data.Base64DecodingOptions Data.Base64EncodingOptions Data.ReadingOptions Data.SearchOptions
        Data.WritingOptions Date DateComponents DateInterval Decimal DiscontiguousAttributedSubstring
        Expression FileAttributeKey FileAttributeType FileManager.DirectoryEnumerationOptions
        FileManager.ItemReplacementOptions FileManager.SearchPathDomainMask FileManager.UnmountOptions
        FileProtectionType IndexPath JSONEncoder.OutputFormatting Locale Locale.Collation Locale.Components
        Locale.Currency Locale.Language Locale.LanguageCode Locale.MeasurementSystem Locale.NumberingSystem
        Locale.Region Locale.Script Locale.Subdivision Locale.Variant
        NotificationCenter.BaseMessageIdentifier NotificationCenter.ObservationToken OperatingSystemVersion
        POSIXError Predicate PredicateBindings PredicateError ScopedAttributeContainer TimeZone URL
        URL.Template URLComponents URLQueryItem URLResourceKey UUID
        """),
    Row(
      module: "FoundationEssentials", kind: .enum,
      names: """
        AttributeDynamicLookup AttributedString.AttributeMergePolicy AttributedString.AttributeRunBoundaries
        AttributedString.WritingDirection Calendar.Component Calendar.Identifier Calendar.MatchingPolicy
        Calendar.RepeatedTimePolicy Calendar.SearchDirection ComparisonResult Data.Deallocator
        Decimal.CalculationError Decimal.RoundingMode FileManager.SearchPathDirectory
        FileManager.URLRelationship JSONDecoder.DataDecodingStrategy JSONDecoder.DateDecodingStrategy
        JSONDecoder.KeyDecodingStrategy JSONDecoder.NonConformingFloatDecodingStrategy
        JSONEncoder.DataEncodingStrategy JSONEncoder.DateEncodingStrategy JSONEncoder.KeyEncodingStrategy
        JSONEncoder.NonConformingFloatEncodingStrategy Locale.HourCycle Locale.IdentifierType
        Locale.LanguageDirection Locale.Weekday PropertyListDecoder.PropertyListFormat SortOrder
        TimeZone.NameStyle URL.DirectoryHint
        """),
    Row(
      module: "FoundationEssentials", kind: .protocol,
      names: """
        AttributeScope AttributedStringAttributeMutation AttributedStringKey AttributedStringProtocol
        ContiguousBytes DataProtocol DecodableAttributedStringKey DecodableWithConfiguration
        DecodingConfigurationProviding EncodableAttributedStringKey EncodableWithConfiguration
        EncodingConfigurationProviding FileManagerDelegate LocalizedError
        MarkdownDecodableAttributedStringKey MutableDataProtocol NotificationCenter.AsyncMessage
        NotificationCenter.MainActorMessage NotificationCenter.MessageIdentifier ParseStrategy
        PredicateExpression SortComparator StandardPredicateExpression
        """),
    Row(
      module: "FoundationInternationalization", kind: .struct,
      names: """
        DescriptiveNumberFormatConfiguration.Presentation FloatingPointParseStrategy IntegerParseStrategy
        KeyPathComparator SortDescriptor StringStyle
        """),
    Row(
      module: "FoundationInternationalization", kind: .enum,
      names: """
        DescriptiveNumberFormatConfiguration
        """),
    Row(
      module: "Dispatch", kind: .class,
      names: """
        DispatchGroup DispatchIO DispatchObject DispatchQueue DispatchSemaphore DispatchSource
        DispatchSpecificKey DispatchWorkItem
        """),
    Row(
      module: "Dispatch", kind: .struct,
      names: """
        DispatchData DispatchDataIterator DispatchIO.CloseFlags DispatchIO.IntervalFlags DispatchQoS
        DispatchQueue.Attributes DispatchSource.FileSystemEvent DispatchSource.TimerFlags DispatchTime
        DispatchWallTime DispatchWorkItemFlags
        """),
    Row(
      module: "Dispatch", kind: .enum,
      names: """
        DispatchData.Deallocator DispatchIO.StreamType DispatchPredicate DispatchQoS.QoSClass
        DispatchQueue.AutoreleaseFrequency DispatchQueue.GlobalQueuePriority DispatchTimeInterval
        DispatchTimeoutResult
        """),
    Row(
      module: "Dispatch", kind: .protocol,
      names: """
        DispatchSourceProtocol DispatchSourceRead DispatchSourceSignal DispatchSourceTimer
        DispatchSourceUserDataAdd DispatchSourceUserDataOr DispatchSourceUserDataReplace DispatchSourceWrite
        """),
  ]
}
