extension Arguments {
  /// The files of a service.
  func service(in places: Places) -> [SourceFile] {
    let type = "\(name.type)Service"
    let own = [SourceFile("\(type).swift", in: places.source.directoryURL, service)]
    guard let tests = places.tests else { return own }
    let test = serviceTest(of: places.source.moduleName)
    return own + [SourceFile("\(type)Tests.swift", in: tests.directoryURL, test)]
  }

  private var service: String {
    """
    import LegoKit

    /// Loads a text.
    ///
    /// Replace the closure with those that your program needs.
    struct \(name.type)Service: Service {
      /// What the program uses.
      static let contractor = Self(load: { "Hello" })

      /// What a test uses unless it provides another.
      static var testContractor: Self? { Self(load: { "Test" }) }

      var load: @Sendable () async -> String
    }

    extension Contractors {
      /// The service in force, which an adaptor finds with `@Contractor`.
      var \(name.property): \(name.type)Service {
        get { Self[\(name.type)Service.self] }
        set { Self[\(name.type)Service.self] = newValue }
      }
    }
    """
  }

  private func serviceTest(of module: String) -> String {
    """
    import LegoKit
    import LegoTesting
    import Testing

    @testable import \(module)

    struct \(name.type)ServiceTests {
      @Contractor(\\.\(name.property))
      private var service: \(name.type)Service

      @Test func `loads a text`() async {
        #expect(await service.load() == "Hello")
      }

      @Test(.contractors) func `has a value for tests`() async {
        #expect(await service.load() == "Test")
      }

      @Test(.contractors { $0.\(name.property).load = { "Mine" } })
      func `is what a test provides`() async {
        #expect(await service.load() == "Mine")
      }
    }
    """
  }
}
