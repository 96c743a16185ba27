import LegoKit

// A blueprint made of two others, from a program that was written for the SwiftUI framework.

public struct BedBlueprint: Blueprint {
  #if swift(>=6)
    public static let brick: BedBlueprint = BedBlueprint()

    public struct Design: Equatable, Sendable {
      var plant: String = ""
      var rows: String = ""
      var sown: Int = 0
    }

    public enum Change: Equatable, Sendable {
      case plant(String)
      case rows(String)
      case onSow
    }
  #else
    public static var brick: BedBlueprint = BedBlueprint()

    public struct Design: Equatable {
      var plant: String = ""
      var rows: String = ""
      var sown: Int = 0
    }

    public enum Change: Equatable {
      case plant(String)
      case rows(String)
      case onSow
    }
  #endif

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .plant(let text):
      design.plant = text

    case .rows(let text):
      design.rows = text

    case .onSow:
      design.sown += Int(design.rows) ?? 0
    }
  }
}

extension Bricks {
  public var bed: BedBlueprint {
    get { Self[BedBlueprint.Value.self] }
    set { Self[BedBlueprint.Value.self] = newValue }
  }
}

struct AllotmentBlueprint: Blueprint {
  @Brick(\.bed) private var bed

  struct Design: Equatable {
    var title: String = "Allotment"
    var bed: BedBlueprint.Design = BedBlueprint.Design()
  }

  enum Change: Equatable {
    case bed(BedBlueprint.Change)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .bed(let bedChange):
      bed.change(&design.bed, on: bedChange)
    }
  }
}
