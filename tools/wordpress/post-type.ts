import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A post type beside the built-in ones, named by the last part of its route. */
export interface PostType {
  /** Such as `book`. */
  name: string;
  /** The last part of its route, such as `books`. */
  restBase: string;
}

/** What can name a post type: lower-case words, short enough for its database column. */
export const REST_BASE: RegExp = /^[a-z][a-z0-9_-]{1,18}$/;

/** The post type whose records are listed under `restBase`: its name is the word in the singular. */
export function postTypeOf(restBase: string): PostType {
  return { name: restBase.replace(/s$/, ''), restBase };
}

/** The text of a must-use plugin that registers a post type with all that posts have but terms, formats and stickiness. */
export function renderPostType({ name, restBase }: PostType): string {
  return `<?php
add_action(
	'init',
	function () {
		register_post_type(
			'${name}',
			array(
				'label'        => '${restBase}',
				'public'       => true,
				'show_in_rest' => true,
				'rest_base'    => '${restBase}',
				'supports'     => array( 'title', 'editor', 'author', 'excerpt', 'thumbnail', 'revisions', 'custom-fields', 'comments' ),
			)
		);
	}
);
`;
}

/** Writes the plugin of a post type into a site. */
export async function installPostType(site: string, postType: PostType): Promise<void> {
  const folder = join(site, 'wp-content', 'mu-plugins');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `post-type-${postType.name}.php`), renderPostType(postType));
}
