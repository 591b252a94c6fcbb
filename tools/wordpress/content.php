<?php
/**
 * Fills a fresh site with varied content: run by `wp eval-file content.php ADMIN`.
 *
 * Every record has a date of its own, so that a sort by date is a total order. Dates of published records are fixed.
 */

$admin = get_user_by( 'login', $args[0] )->ID;
wp_set_current_user( $admin );
global $wpdb;
// Dates with and without a zone differ only where the site's time is not GMT.
update_option( 'gmt_offset', '2' );
// The records of the installation are dated in GMT, all at the same second.
foreach ( get_posts( array( 'post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1 ) ) as $installed ) {
	wp_delete_post( $installed->ID, true );
}
update_option( 'blogdescription', 'A site to be tested' );
require_once ABSPATH . 'wp-admin/includes/image.php';
require_once ABSPATH . 'wp-admin/includes/post.php';

/** Ends the run with the reason when WordPress reports an error. */
function seed_checked( $result ) {
	if ( is_wp_error( $result ) || ! $result ) {
		WP_CLI::error( is_wp_error( $result ) ? $result->get_error_message() : 'a record was not created' );
	}
	return $result;
}

function seed_user( string $login, string $role ): int {
	return seed_checked(
		wp_insert_user(
			array(
				'user_login'   => $login,
				'user_pass'    => wp_generate_password( 24 ),
				'user_email'   => "$login@example.org",
				'display_name' => ucfirst( $login ),
				'role'         => $role,
			)
		)
	);
}

function seed_term( string $name, string $taxonomy, int $parent = 0 ): int {
	return seed_checked( wp_insert_term( $name, $taxonomy, array( 'parent' => $parent ) ) )['term_id'];
}

function seed_paragraphs( string ...$texts ): string {
	return implode( "\n\n", array_map( fn( $text ) => "<!-- wp:paragraph -->\n<p>$text</p>\n<!-- /wp:paragraph -->", $texts ) );
}

function seed_post( array $fields ): int {
	return seed_checked( wp_insert_post( wp_slash( $fields ), true ) );
}

function seed_media( string $name, string $bytes, array $fields ): int {
	$upload = wp_upload_bits( $name, null, $bytes );
	if ( $upload['error'] ) {
		WP_CLI::error( $upload['error'] );
	}
	$fields += array(
		'post_mime_type' => $upload['type'],
		'guid'           => $upload['url'],
	);
	$id      = seed_checked( wp_insert_attachment( wp_slash( $fields ), $upload['file'], $fields['post_parent'] ?? 0, true ) );
	wp_update_attachment_metadata( $id, wp_generate_attachment_metadata( $id, $upload['file'] ) );
	return $id;
}

/** The bytes of a picture without symmetry, so that a flip or a rotation is seen. */
function seed_picture( string $type, int $width, int $height ): string {
	$image = imagecreatetruecolor( $width, $height );
	imagefilledrectangle( $image, 0, 0, $width, $height, imagecolorallocate( $image, 40, 90, 160 ) );
	imagefilledellipse( $image, intdiv( $width, 4 ), intdiv( $height, 3 ), 40, 40, imagecolorallocate( $image, 250, 210, 60 ) );
	ob_start();
	( "image$type" )( $image );
	return ob_get_clean();
}

/** A tenth of a second of silence. */
function seed_silence(): string {
	$samples = str_repeat( "\x80", 800 );
	return 'RIFF' . pack( 'V', 36 + strlen( $samples ) ) . 'WAVEfmt ' . pack( 'VvvVVvv', 16, 1, 1, 8000, 8000, 1, 8 )
		. 'data' . pack( 'V', strlen( $samples ) ) . $samples;
}

$authors = array( $admin, seed_user( 'edith', 'editor' ), seed_user( 'arthur', 'author' ) );

$nature     = seed_term( 'Nature', 'category' );
$birds      = seed_term( 'Birds', 'category', $nature );
$travel     = seed_term( 'Travel', 'category' );
$categories = array( array( $nature ), array( $birds ), array( $travel ), array( $travel, $birds ), array() );
$tags       = array( array( 'quiet', 'north' ), array( 'north' ), array( 'market' ), array() );

$picture = seed_media(
	'harbour.png',
	seed_picture( 'png', 640, 480 ),
	array(
		'post_title'   => 'Harbour',
		'post_excerpt' => 'The harbour at <em>noon</em>',
		'post_content' => 'A picture of the harbour.',
		'post_date'    => '2024-01-05 12:00:00',
	)
);
update_post_meta( $picture, '_wp_attachment_image_alt', 'A yellow sun over blue water' );

$titles = array(
	'A walk along the harbour', 'Birds in the reeds', 'The market on Thursday', 'North of the river', 'Café & bakery “Été”',
	'Notes from the train', 'Fog in the morning', 'A house with two doors', 'The oldest tree', 'Rain on the roof',
	'Seven bridges', 'What the ferry carries', 'The clock that was late', 'Letters from the island',
);
$posts  = array();
foreach ( $titles as $i => $title ) {
	$posts[] = seed_post(
		array(
			'post_title'     => $title,
			'post_content'   => seed_paragraphs( "$title: the first paragraph.", 'A second one, with <strong>bold</strong> words.' ),
			'post_excerpt'   => 0 === $i % 3 ? "In short: $title." : '',
			'post_status'    => 'publish',
			'post_date'      => sprintf( '%d-%02d-%02d 0%d:15:%02d', 2023 + intdiv( $i, 5 ), 1 + $i * 5 % 12, 1 + $i * 2, $i % 10, $i ),
			'post_author'    => $authors[ $i % 3 ],
			'post_category'  => $categories[ $i % 5 ],
			'tags_input'     => $tags[ $i % 4 ],
			'comment_status' => 0 === $i % 4 ? 'closed' : 'open',
			'ping_status'    => 0 === $i % 5 ? 'closed' : 'open',
		)
	);
}
stick_post( $posts[2] );
stick_post( $posts[7] );
set_post_format( $posts[3], 'aside' );
set_post_format( $posts[5], 'quote' );
set_post_format( $posts[8], 'gallery' );
set_post_thumbnail( $posts[0], $picture );

seed_post(
	array(
		'post_title'    => 'Behind the door',
		'post_content'  => seed_paragraphs( 'Only for those who know the words.' ),
		'post_excerpt'  => 'A guarded excerpt.',
		'post_status'   => 'publish',
		'post_password' => 'open sesame',
		'post_date'     => '2024-03-03 03:03:03',
		'post_author'   => $admin,
	)
);

$others = array( 'draft', 'pending', 'private', 'future', 'trash' );
foreach ( $others as $i => $status ) {
	foreach ( array( 'first', 'second' ) as $j => $word ) {
		$id = seed_post(
			array(
				'post_title'   => ucfirst( $status ) . ", the $word",
				'post_content' => seed_paragraphs( "The $word one that is not public." ),
				'post_status'  => 'trash' === $status ? 'publish' : $status,
				'post_date'    => 'future' === $status
					? gmdate( 'Y-m-d H:i:s', time() + ( 30 + $j ) * DAY_IN_SECONDS )
					: sprintf( '2025-0%d-1%d 10:20:3%d', $i + 1, $j, $i ),
				'post_author'  => $authors[ ( $i + $j ) % 3 ],
			)
		);
		if ( 'trash' === $status ) {
			seed_checked( wp_trash_post( $id ) );
		}
	}
}

// Dates, menu order and ids disagree, so that an order by one of them shows.
$page  = fn( string $title, int $order, int $parent = 0, array $more = array() ) => seed_post(
	$more + array(
		'post_type'    => 'page',
		'post_title'   => $title,
		'post_content' => seed_paragraphs( "$title: what there is to say of it, in a dozen words." ),
		'post_status'  => 'publish',
		'post_date'    => sprintf( '2024-06-%02d 08:00:00', 1 + $order * 5 % 11 ),
		'post_parent'  => $parent,
		'menu_order'   => $order,
		'post_author'  => $authors[ $order % 2 ],
	)
);
$about = $page( 'About', 4 );
$team  = $page( 'Team', 0, $about, array( 'post_excerpt' => 'Everybody who works on the jetty.' ) );
$page( 'History', 7, $about );
$page( 'Archive of the team', 2, $team );
$visit = $page( 'Visit', 8 );
// A template that the theme offers for pages, where it has one.
$templates = array_keys( wp_get_theme()->get_page_templates( null, 'page' ) );
if ( $templates ) {
	update_post_meta( $visit, '_wp_page_template', $templates[0] );
}
$page( 'Opening hours', 3, $visit );
$page( 'Members', 9, 0, array( 'post_password' => 'open sesame', 'post_excerpt' => 'A guarded excerpt.' ) );
$page( 'Unfinished page', 5, 0, array( 'post_status' => 'draft' ) );
$page( 'Internal page', 6, $visit, array( 'post_status' => 'private' ) );

seed_media(
	'market.jpg',
	seed_picture( 'jpeg', 320, 240 ),
	array(
		'post_title'   => 'Market',
		'post_excerpt' => 'Stalls on Thursday',
		'post_parent'  => $posts[2],
		'post_author'  => $authors[1],
		'post_date'    => '2024-02-06 12:00:00',
	)
);
seed_media( 'dot.gif', seed_picture( 'gif', 48, 32 ), array( 'post_title' => 'Dot', 'post_date' => '2023-03-07 12:00:00' ) );
seed_media(
	'notes.txt',
	"Plain notes.\n",
	array(
		'post_title'   => 'Notes',
		'post_excerpt' => 'Written on the train',
		'post_parent'  => $posts[5],
		'post_date'    => '2024-04-08 12:00:00',
	)
);
seed_media( 'silence.wav', seed_silence(), array( 'post_title' => 'Silence', 'post_date' => '2023-05-09 12:00:00' ) );
seed_media(
	'vault.png',
	seed_picture( 'png', 32, 48 ),
	array(
		'post_title'  => 'Vault',
		'post_status' => 'private',
		'post_date'   => '2024-06-10 12:00:00',
	)
);

foreach ( array( $posts[0], $posts[1], $about ) as $id ) {
	$title = get_post( $id )->post_title;
	foreach ( array( 'zeal', 'art', 'hope' ) as $i => $word ) {
		$fields = array(
			'ID'           => $id,
			'post_title'   => ucfirst( $word ) . ' instead',
			'post_content' => seed_paragraphs( "The version with $word." ),
		);
		seed_checked( wp_update_post( wp_slash( $fields ), true ) );
	}
	seed_checked( wp_update_post( wp_slash( array( 'ID' => $id, 'post_title' => $title ) ), true ) );
	// All of them were made within a second: an order by date needs different ones.
	foreach ( array_reverse( array_values( wp_get_post_revisions( $id ) ) ) as $i => $revision ) {
		$date = sprintf( '2025-03-0%d 09:30:00', 1 + $i );
		$wpdb->update( $wpdb->posts, array( 'post_date' => $date, 'post_date_gmt' => $date ), array( 'ID' => $revision->ID ) );
		clean_post_cache( $revision->ID );
	}
}
// An autosave of another user's record stands beside it.
foreach ( array( 'post' => $posts[1], 'page' => $about ) as $type => $id ) {
	seed_checked(
		wp_create_post_autosave(
			array(
				'post_ID'      => $id,
				'post_type'    => $type,
				'post_title'   => 'Not yet saved',
				'post_content' => seed_paragraphs( 'Not yet saved.' ),
				'post_excerpt' => '',
			)
		)
	);
}
