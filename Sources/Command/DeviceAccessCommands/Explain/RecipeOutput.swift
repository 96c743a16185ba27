internal import AccessModel

/// The options that pass a device to a container or unit, as JSON.
struct RecipeOutput: Encodable {
  let engine: ContainerEngine
  let node: NodeOutput
  let lines: [String]
  let notes: [String]

  init(_ recipe: ContainerRecipe) {
    engine = recipe.engine
    node = NodeOutput(recipe.node)
    lines = recipe.lines
    notes = recipe.notes
  }
}
