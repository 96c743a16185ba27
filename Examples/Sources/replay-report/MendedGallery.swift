import LegoKit

/// The gallery without the bug: a deletion moves the selection with its picture.
struct MendedGallery: Blueprint {
  typealias Design = GalleryDesign
  typealias Change = GalleryChange

  func change(_ design: inout GalleryDesign, on change: GalleryChange) {
    guard case .delete(let place) = change else {
      return ReleasedGallery().change(&design, on: change)
    }
    guard design.pictures.indices.contains(place) else { return }
    design.pictures.remove(at: place)
    guard let selection = design.selection else { return }
    if place < selection {
      design.selection = selection - 1
    } else if place == selection {
      // The picture that took its place, or the last one.
      design.selection = design.pictures.indices.last.map { min(selection, $0) }
    }
  }
}
