import LegoKit

/// The gallery as it was released, with the bug.
struct ReleasedGallery: Blueprint {
  typealias Design = GalleryDesign
  typealias Change = GalleryChange

  func change(_ design: inout GalleryDesign, on change: GalleryChange) {
    switch change {
    case .add(let picture):
      design.pictures.append(picture)
    case .select(let place):
      if design.pictures.indices.contains(place) { design.selection = place }
    case .selectNext:
      guard let selection = design.selection, selection + 1 < design.pictures.count else { return }
      design.selection = selection + 1
    case .delete(let place):
      guard design.pictures.indices.contains(place) else { return }
      design.pictures.remove(at: place)
    }
  }
}
