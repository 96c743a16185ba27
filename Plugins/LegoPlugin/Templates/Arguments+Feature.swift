extension Arguments {
  /// The files of a feature.
  func feature(in places: Places) -> [SourceFile] {
    let folder = places.source.directoryURL
    let own = [
      SourceFile("\(name.type)/\(name.type)Blueprint.swift", in: folder, blueprint),
      SourceFile("\(name.type)/\(name.type)Adaptor.swift", in: folder, adaptor),
    ]
    guard let tests = places.tests else { return own }
    let test = featureTest(of: places.source.moduleName)
    return own + [SourceFile("\(name.type)Tests.swift", in: tests.directoryURL, test)]
  }

  private var blueprint: String {
    """
    import LegoKit

    /// Loads a text.
    ///
    /// Replace the design and the changes with your own.
    struct \(name.type)Blueprint: Blueprint {
      /// What to show.
      struct Design: Equatable, Sendable {
        var isLoading = false
        var text = ""
      }

      /// What can happen.
      enum Change: Equatable, Sendable {
        case load
        case loaded(String)
      }

      func change(_ design: inout Design, on change: Change) {
        switch change {
        case .load:
          design.isLoading = true
        case .loaded(let text):
          design.isLoading = false
          design.text = text
        }
      }
    }

    extension \(name.type)Blueprint {
      /// The blueprint with its adaptor, for a store: `Lego(.init(), feature: …)`.
      ///
      /// A larger feature plugs it in: `.part(\\.text, .case(App.Change.text), …)`.
      static var feature: Feature<Self> {
        Feature(Self(), adaptors: [\(name.type)Adaptor()])
      }
    }
    """
  }

  private var adaptor: String {
    """
    import LegoKit

    /// Answers a change with later ones.
    ///
    /// Replace the text with what a service says.
    final class \(name.type)Adaptor: Adaptor<\(name.type)Blueprint> {
      override func effect(
        _ design: \(name.type)Blueprint.Design,
        on change: \(name.type)Blueprint.Change
      ) -> Effect<\(name.type)Blueprint.Change> {
        switch change {
        case .load: .run { send in send(.loaded("Hello")) }
        case .loaded: .none
        }
      }
    }
    """
  }

  private func featureTest(of module: String) -> String {
    """
    import LegoTesting
    import Testing

    @testable import \(module)

    struct \(name.type)Tests {
      @Test func `loads a text`() async {
        let lego = TestLego(.init(), feature: \(name.type)Blueprint.feature)
        lego.build(.load) { $0.isLoading = true }
        await lego.receive(.loaded("Hello")) {
          $0.isLoading = false
          $0.text = "Hello"
        }
        await lego.finish()
      }
    }
    """
  }
}
